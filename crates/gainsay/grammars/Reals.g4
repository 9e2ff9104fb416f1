// Reals: real arithmetic, linear and not, with trigonometric functions, over two variables.
grammar Reals;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' 'Real' ParClose ;
declare_b : ParOpen 'declare-const' 'b' 'Real' ParClose ;

real_const : '0.0' | '1.0' ;
real_term
    : real_const
    | 'a'
    | 'b'
    | ParOpen '-' real_term ParClose
    | ParOpen '-' real_term real_term ParClose
    | ParOpen '+' real_term real_term ParClose
    | ParOpen '*' real_term real_term ParClose
    | ParOpen '/' real_term real_term ParClose
    | ParOpen 'sin' real_term ParClose
    | ParOpen 'cos' real_term ParClose
    | ParOpen 'tan' real_term ParClose
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
    | ParOpen '=' real_term real_term ParClose
    | ParOpen 'distinct' real_term real_term ParClose
    | ParOpen '<' real_term real_term ParClose
    | ParOpen '<=' real_term real_term ParClose
    | ParOpen '>' real_term real_term ParClose
    | ParOpen '>=' real_term real_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
