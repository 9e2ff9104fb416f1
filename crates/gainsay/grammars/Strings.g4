// Strings: strings and regular languages, over two variables. Ranges are of constants, for cvc5 wants them so.
grammar Strings;

ParOpen : '(' ;
ParClose : ')' ;

declare_a : ParOpen 'declare-const' 'a' 'String' ParClose ;
declare_b : ParOpen 'declare-const' 'b' 'String' ParClose ;

int_const : '0' | '1' ;
str_const : '""' | '"a"' ;
str_term
    : str_const
    | 'a'
    | 'b'
    | ParOpen 'str.++' str_term str_term ParClose
    | ParOpen 'str.at' str_term int_term ParClose
    | ParOpen 'str.substr' str_term int_term int_term ParClose
    | ParOpen 'str.replace' str_term str_term str_term ParClose
    | ParOpen 'str.replace_all' str_term str_term str_term ParClose
    | ParOpen 'str.replace_re' str_term re_term str_term ParClose
    | ParOpen 'str.replace_re_all' str_term re_term str_term ParClose
    | ParOpen 'str.from_int' int_term ParClose
    | ParOpen 'str.from_code' int_term ParClose
    | ParOpen 'ite' bool_term str_term str_term ParClose
    ;
int_term
    : int_const
    | ParOpen 'str.len' str_term ParClose
    | ParOpen 'str.indexof' str_term str_term int_term ParClose
    | ParOpen 'str.to_int' str_term ParClose
    | ParOpen 'str.to_code' str_term ParClose
    | ParOpen '-' int_term ParClose
    | ParOpen '+' int_term int_term ParClose
    ;
re_const : 're.none' | 're.all' | 're.allchar' ;
re_term
    : re_const
    | ParOpen 'str.to_re' str_term ParClose
    | ParOpen 're.*' re_term ParClose
    | ParOpen 're.+' re_term ParClose
    | ParOpen 're.opt' re_term ParClose
    | ParOpen 're.comp' re_term ParClose
    | ParOpen '(_ re.^ 2)' re_term ParClose
    | ParOpen '(_ re.loop 0 2)' re_term ParClose
    | ParOpen 're.++' re_term re_term ParClose
    | ParOpen 're.union' re_term re_term ParClose
    | ParOpen 're.inter' re_term re_term ParClose
    | ParOpen 're.diff' re_term re_term ParClose
    | ParOpen 're.range' str_const str_const ParClose
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
    | ParOpen '=' str_term str_term ParClose
    | ParOpen 'distinct' str_term str_term ParClose
    | ParOpen 'str.<' str_term str_term ParClose
    | ParOpen 'str.<=' str_term str_term ParClose
    | ParOpen 'str.prefixof' str_term str_term ParClose
    | ParOpen 'str.suffixof' str_term str_term ParClose
    | ParOpen 'str.contains' str_term str_term ParClose
    | ParOpen 'str.is_digit' str_term ParClose
    | ParOpen 'str.in_re' str_term re_term ParClose
    | ParOpen '=' int_term int_term ParClose
    | ParOpen '<' int_term int_term ParClose
    | ParOpen '<=' int_term int_term ParClose
    ;

assertion : ParOpen 'assert' bool_term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
