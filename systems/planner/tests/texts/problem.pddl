(define (problem p) (:domain tiny) (:objects o - a u - b)
  (:init (p o) (p k) (= (far o) 3) (= (far k) 1) (= (total-cost) 0))
  (:goal (and (r) (not (p o)))) (:metric minimize (total-cost)))
