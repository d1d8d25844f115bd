; Tiles slide into the one free cell of a square [korf-1985].
(define (domain puzzle)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates (at ?tile - tile ?cell - cell) (free ?cell - cell)
               (next ?a ?b - cell))
  (:action slide
    :parameters (?tile - tile ?from ?to - cell)
    :precondition (and (at ?tile ?from) (free ?to) (next ?from ?to))
    :effect (and (at ?tile ?to) (free ?from) (not (at ?tile ?from))
                 (not (free ?to)))))
