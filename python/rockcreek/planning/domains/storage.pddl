; Hoists move through the cells of a depot and store crates in them: after the
; fifth planning competition's domain [gerevini-2009], with one loading cell
; that holds all crates at the start.
(define (domain storage)
  (:requirements :strips :typing)
  (:types hoist crate area - object
          cell yard - area)
  (:predicates (next ?a ?b - area)
               (hoist-at ?hoist - hoist ?area - area)
               (crate-at ?crate - crate ?area - area)
               (lifting ?hoist - hoist ?crate - crate)
               (available ?hoist - hoist)
               (clear ?cell - cell))
  (:action go
    :parameters (?hoist - hoist ?from ?to - cell)
    :precondition (and (hoist-at ?hoist ?from) (clear ?to) (next ?from ?to))
    :effect (and (hoist-at ?hoist ?to) (clear ?from)
                 (not (hoist-at ?hoist ?from)) (not (clear ?to))))
  (:action go-out
    :parameters (?hoist - hoist ?from - cell ?to - yard)
    :precondition (and (hoist-at ?hoist ?from) (next ?from ?to))
    :effect (and (hoist-at ?hoist ?to) (clear ?from)
                 (not (hoist-at ?hoist ?from))))
  (:action go-in
    :parameters (?hoist - hoist ?from - yard ?to - cell)
    :precondition (and (hoist-at ?hoist ?from) (clear ?to) (next ?from ?to))
    :effect (and (hoist-at ?hoist ?to) (not (hoist-at ?hoist ?from))
                 (not (clear ?to))))
  (:action lift-in-yard
    :parameters (?hoist - hoist ?crate - crate ?yard - yard)
    :precondition (and (hoist-at ?hoist ?yard) (available ?hoist)
                       (crate-at ?crate ?yard))
    :effect (and (lifting ?hoist ?crate) (not (available ?hoist))
                 (not (crate-at ?crate ?yard))))
  (:action lift
    :parameters (?hoist - hoist ?crate - crate ?from - area ?cell - cell)
    :precondition (and (hoist-at ?hoist ?from) (available ?hoist)
                       (crate-at ?crate ?cell) (next ?from ?cell))
    :effect (and (lifting ?hoist ?crate) (clear ?cell)
                 (not (available ?hoist)) (not (crate-at ?crate ?cell))))
  (:action store
    :parameters (?hoist - hoist ?crate - crate ?from - area ?cell - cell)
    :precondition (and (hoist-at ?hoist ?from) (lifting ?hoist ?crate)
                       (clear ?cell) (next ?from ?cell))
    :effect (and (available ?hoist) (crate-at ?crate ?cell)
                 (not (lifting ?hoist ?crate)) (not (clear ?cell)))))
