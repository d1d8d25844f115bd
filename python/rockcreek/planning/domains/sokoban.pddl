; A man pushes boxes to cells, one at a time, and cannot pull
; [junghanns-2001]. Any box may stand on any of the goal's cells.
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates (next ?a ?b - cell) (in-line ?a ?b ?c - cell)
               (man-at ?cell - cell) (box-at ?cell - cell) (free ?cell - cell))
  (:action walk
    :parameters (?from ?to - cell)
    :precondition (and (man-at ?from) (next ?from ?to) (free ?to))
    :effect (and (man-at ?to) (free ?from)
                 (not (man-at ?from)) (not (free ?to))))
  (:action push
    :parameters (?from ?box ?to - cell)
    :precondition (and (man-at ?from) (in-line ?from ?box ?to) (box-at ?box)
                       (free ?to))
    :effect (and (man-at ?box) (box-at ?to) (free ?from)
                 (not (man-at ?from)) (not (box-at ?box)) (not (free ?to)))))
