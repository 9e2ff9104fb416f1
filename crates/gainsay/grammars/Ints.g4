// Ints: integer arithmetic, linear and not, over two variables.
grammar Ints;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' 'Int' ParClose ;
declare_b : ParOpen 'declare-const' 'b' 'Int' ParClose ;

int_const : '0' | '1' ;
int_term
    : int_const
    | 'a'
    | 'b'
    | ParOpen '-' int_term ParClose
    | ParOpen '-' int_term int_term ParClose
    | ParOpen '+' int_term int_term ParClose
    | ParOpen '*' int_term int_term ParClose
    | ParOpen 'div' int_term int_term ParClose
    | ParOpen 'mod' int_term int_term ParClose
    | ParOpen 'abs' int_term ParClose
    | ParOpen 'ite' bool_term int_term int_term ParClose
    ;
bool_term
    : ParOpen 'not' bool_term ParClose
    | ParOpen 'and' bool_term bool_term ParClose
    | ParOpen 'or' bool_term bool_term ParClose
    | ParOpen 'xor' bool_term bool_term ParClose
    | ParOpen '=>' bool_term bool_term ParClose
    | ParOpen '=' bool_term bool_term ParClose
    | ParOpen 'distinct' bool_term bool_term ParClose
    | ParOpen 'ite' bool_term bool_term bool_term ParClose
    | ParOpen '=' int_term int_term ParClose
    | ParOpen 'distinct' int_term int_term ParClose
    | ParOpen '<' int_term int_term ParClose
    | ParOpen '<=' int_term int_term ParClose
    | ParOpen '>' int_term int_term ParClose
    | ParOpen '>=' int_term int_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
