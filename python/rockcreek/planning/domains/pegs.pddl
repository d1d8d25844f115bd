; Peg solitaire on the English board: a peg jumps over a neighbour, which is
; taken away [jefferson-2006].
(define (domain pegs)
  (:requirements :strips :typing)
  (:types hole)
  (:predicates (in-line ?a ?b ?c - hole) (peg-in ?hole - hole)
               (empty ?hole - hole))
  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (in-line ?from ?over ?to) (peg-in ?from) (peg-in ?over)
                       (empty ?to))
    :effect (and (peg-in ?to) (empty ?from) (empty ?over)
                 (not (peg-in ?from)) (not (peg-in ?over)) (not (empty ?to)))))
