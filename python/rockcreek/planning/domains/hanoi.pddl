; Discs on three pegs, none on a smaller one, from one regular state to another
; one: the tower of Hanoi [hinz-1989].
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types thing - object disc peg - thing)
  (:predicates (on ?disc - disc ?below - thing) (clear ?thing - thing)
               (fits ?disc - disc ?below - thing))
  (:action move
    :parameters (?disc - disc ?from ?to - thing)
    :precondition (and (clear ?disc) (on ?disc ?from) (clear ?to)
                       (fits ?disc ?to))
    :effect (and (on ?disc ?to) (clear ?from)
                 (not (on ?disc ?from)) (not (clear ?to)))))
