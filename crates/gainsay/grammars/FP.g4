// FP: floats of double precision in all rounding modes, over two variables.
grammar FP;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' '(_ FloatingPoint 11 53)' ParClose ;
declare_b : ParOpen 'declare-const' 'b' '(_ FloatingPoint 11 53)' ParClose ;

fp_const
    : '(fp #b0 #b00000000000 #b0000000000000000000000000000000000000000000000000000)'
    | '(fp #b0 #b01111111111 #b0000000000000000000000000000000000000000000000000000)'
    | '(_ -zero 11 53)'
    | '(_ +oo 11 53)'
    | '(_ -oo 11 53)'
    | '(_ NaN 11 53)'
    ;
rounding : 'RNE' | 'RNA' | 'RTP' | 'RTN' | 'RTZ' ;
fp_term
    : fp_const
    | 'a'
    | 'b'
    | ParOpen 'fp.abs' fp_term ParClose
    | ParOpen 'fp.neg' fp_term ParClose
    | ParOpen 'fp.add' rounding fp_term fp_term ParClose
    | ParOpen 'fp.sub' rounding fp_term fp_term ParClose
    | ParOpen 'fp.mul' rounding fp_term fp_term ParClose
    | ParOpen 'fp.div' rounding fp_term fp_term ParClose
    | ParOpen 'fp.fma' rounding fp_term fp_term fp_term ParClose
    | ParOpen 'fp.sqrt' rounding fp_term ParClose
    | ParOpen 'fp.roundToIntegral' rounding fp_term ParClose
    | ParOpen 'fp.rem' fp_term fp_term ParClose
    | ParOpen 'fp.min' fp_term fp_term ParClose
    | ParOpen 'fp.max' fp_term fp_term ParClose
    | ParOpen 'ite' bool_term fp_term fp_term ParClose
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
    | ParOpen '=' fp_term fp_term ParClose
    | ParOpen 'distinct' fp_term fp_term ParClose
    | ParOpen 'fp.leq' fp_term fp_term ParClose
    | ParOpen 'fp.lt' fp_term fp_term ParClose
    | ParOpen 'fp.geq' fp_term fp_term ParClose
    | ParOpen 'fp.gt' fp_term fp_term ParClose
    | ParOpen 'fp.eq' fp_term fp_term ParClose
    | ParOpen 'fp.isNormal' fp_term ParClose
    | ParOpen 'fp.isSubnormal' fp_term ParClose
    | ParOpen 'fp.isZero' fp_term ParClose
    | ParOpen 'fp.isInfinite' fp_term ParClose
    | ParOpen 'fp.isNaN' fp_term ParClose
    | ParOpen 'fp.isNegative' fp_term ParClose
    | ParOpen 'fp.isPositive' fp_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
