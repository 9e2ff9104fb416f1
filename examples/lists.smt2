; EXPECT: sat
(set-logic ALL)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-const xs (List Int))
(define-fun first-is ((l (List Int)) (n Int)) Bool (match l ((nil false) ((cons h t) (= h n)))))
(assert (! (first-is xs 3) :named first))
(assert (not (= (tail xs) (as nil (List Int)))))
(check-sat)
(get-model)
