; A robot visits cells of a grid: of the seventh planning competition
; [linares-2015].
(define (domain visitall)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates (next ?from ?to - cell) (robot-at ?cell - cell)
               (visited ?cell - cell))
  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (robot-at ?from) (next ?from ?to))
    :effect (and (robot-at ?to) (visited ?to) (not (robot-at ?from)))))
