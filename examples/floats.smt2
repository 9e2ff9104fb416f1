; EXPECT: unsat
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(declare-const r RoundingMode)
(assert (fp.lt (_ +zero 8 24) x))
(assert (fp.eq (fp.add r x x) x))
(assert (not (fp.isInfinite x)))
(check-sat)
