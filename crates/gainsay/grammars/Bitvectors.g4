// Bitvectors: vectors of 64 bits, over two variables.
grammar Bitvectors;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' '(_ BitVec 64)' ParClose ;
declare_b : ParOpen 'declare-const' 'b' '(_ BitVec 64)' ParClose ;

bv_const : '#x0000000000000000' | '#x1111111111111111' ;
bv_term
    : bv_const
    | 'a'
    | 'b'
    | ParOpen 'bvnot' bv_term ParClose
    | ParOpen 'bvneg' bv_term ParClose
    | ParOpen 'bvand' bv_term bv_term ParClose
    | ParOpen 'bvor' bv_term bv_term ParClose
    | ParOpen 'bvxor' bv_term bv_term ParClose
    | ParOpen 'bvadd' bv_term bv_term ParClose
    | ParOpen 'bvsub' bv_term bv_term ParClose
    | ParOpen 'bvmul' bv_term bv_term ParClose
    | ParOpen 'bvudiv' bv_term bv_term ParClose
    | ParOpen 'bvurem' bv_term bv_term ParClose
    | ParOpen 'bvsdiv' bv_term bv_term ParClose
    | ParOpen 'bvsrem' bv_term bv_term ParClose
    | ParOpen 'bvsmod' bv_term bv_term ParClose
    | ParOpen 'bvshl' bv_term bv_term ParClose
    | ParOpen 'bvlshr' bv_term bv_term ParClose
    | ParOpen 'bvashr' bv_term bv_term ParClose
    | ParOpen '(_ rotate_left 1)' bv_term ParClose
    | ParOpen '(_ rotate_right 1)' bv_term ParClose
    | ParOpen 'concat' bv_half bv_half ParClose
    | ParOpen '(_ zero_extend 32)' bv_half ParClose
    | ParOpen '(_ sign_extend 32)' bv_half ParClose
    | ParOpen '(_ int2bv 64)' int_term ParClose
    | ParOpen 'ite' bool_term bv_term bv_term ParClose
    ;
bv_half
    : ParOpen '(_ extract 31 0)' bv_term ParClose
    | ParOpen '(_ extract 63 32)' bv_term ParClose
    ;
int_const : '0' | '1' ;
int_term
    : int_const
    | ParOpen 'bv2nat' bv_term ParClose
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
    | ParOpen '=' bv_term bv_term ParClose
    | ParOpen 'distinct' bv_term bv_term ParClose
    | ParOpen 'bvult' bv_term bv_term ParClose
    | ParOpen 'bvule' bv_term bv_term ParClose
    | ParOpen 'bvugt' bv_term bv_term ParClose
    | ParOpen 'bvuge' bv_term bv_term ParClose
    | ParOpen 'bvslt' bv_term bv_term ParClose
    | ParOpen 'bvsle' bv_term bv_term ParClose
    | ParOpen 'bvsgt' bv_term bv_term ParClose
    | ParOpen 'bvsge' bv_term bv_term ParClose
    | ParOpen '=' int_term int_term ParClose
    | ParOpen 'distinct' int_term int_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
