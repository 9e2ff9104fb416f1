// RealInts: both arithmetics and what leads from one to the other; every step is written.
grammar RealInts;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' 'Int' ParClose ;
declare_b : ParOpen 'declare-const' 'b' 'Real' ParClose ;

int_const : '0' | '1' ;
real_const : '0.0' | '1.0' ;
int_term
    : int_const
    | 'a'
    | ParOpen '-' int_term ParClose
    | ParOpen '-' int_term int_term ParClose
    | ParOpen '+' int_term int_term ParClose
    | ParOpen '*' int_term int_term ParClose
    | ParOpen 'div' int_term int_term ParClose
    | ParOpen 'mod' int_term int_term ParClose
    | ParOpen 'abs' int_term ParClose
    | ParOpen 'to_int' real_term ParClose
    | ParOpen 'ite' bool_term int_term int_term ParClose
    ;
real_term
    : real_const
    | 'b'
    | ParOpen '-' real_term ParClose
    | ParOpen '-' real_term real_term ParClose
    | ParOpen '+' real_term real_term ParClose
    | ParOpen '*' real_term real_term ParClose
    | ParOpen '/' real_term real_term ParClose
    | ParOpen 'sin' real_term ParClose
    | ParOpen 'cos' real_term ParClose
    | ParOpen 'tan' real_term ParClose
    | ParOpen 'to_real' int_term ParClose
    | ParOpen 'ite' bool_term real_term real_term ParClose
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
    | ParOpen '=' real_term real_term ParClose
    | ParOpen 'distinct' real_term real_term ParClose
    | ParOpen '<' real_term real_term ParClose
    | ParOpen '<=' real_term real_term ParClose
    | ParOpen '>' real_term real_term ParClose
    | ParOpen '>=' real_term real_term ParClose
    | ParOpen 'is_int' real_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
