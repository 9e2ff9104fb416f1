// Arrays: arrays from vectors of 64 bits to such vectors.
grammar Arrays;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' '(Array (_ BitVec 64) (_ BitVec 64))' ParClose ;
declare_b : ParOpen 'declare-const' 'b' '(_ BitVec 64)' ParClose ;

bv_const : '#x0000000000000000' | '#x1111111111111111' ;
bv_term
    : bv_const
    | 'b'
    | ParOpen 'bvnot' bv_term ParClose
    | ParOpen 'bvneg' bv_term ParClose
    | ParOpen 'bvand' bv_term bv_term ParClose
    | ParOpen 'bvor' bv_term bv_term ParClose
    | ParOpen 'bvadd' bv_term bv_term ParClose
    | ParOpen 'bvmul' bv_term bv_term ParClose
    | ParOpen 'bvudiv' bv_term bv_term ParClose
    | ParOpen 'bvurem' bv_term bv_term ParClose
    | ParOpen 'bvshl' bv_term bv_term ParClose
    | ParOpen 'bvlshr' bv_term bv_term ParClose
    | ParOpen 'select' array_term bv_term ParClose
    ;
array_term
    : 'a'
    | ParOpen 'store' array_term bv_term bv_term ParClose
    | ParOpen 'ite' bool_term array_term array_term ParClose
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
    | ParOpen '=' array_term array_term ParClose
    | ParOpen 'distinct' array_term array_term ParClose
    | ParOpen '=' bv_term bv_term ParClose
    | ParOpen 'distinct' bv_term bv_term ParClose
    | ParOpen 'bvult' bv_term bv_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
