(define (domain sheds)
  (:requirements :typing)
  (:types hoist surface place area - object
          container shed - place
          storearea transit - area
          area crate - surface)
  (:predicates (clear ?s - storearea)
               (in ?x - (either storearea crate) ?p - place)
               (available ?h - hoist)
               (lifting ?h - hoist ?c - crate)
               (at ?h - hoist ?a - area)
               (on ?c - crate ?s - storearea)
               (connected ?a ?b - area))
  (:action lift
     :parameters (?h - hoist ?c - crate ?a1 - storearea ?a2 - area ?p - place)
     :precondition (and (connected ?a1 ?a2) (at ?h ?a2) (available ?h) (on ?c ?a1) (in ?a1 ?p))
     :effect (and (not (on ?c ?a1)) (clear ?a1) (not (available ?h)) (lifting ?h ?c)
                  (not (in ?c ?p))))
  (:action drop
     :parameters (?h - hoist ?c - crate ?a1 - storearea ?a2 - area ?p - place)
     :precondition (and (connected ?a1 ?a2) (at ?h ?a2) (lifting ?h ?c) (clear ?a1) (in ?a1 ?p))
     :effect (and (not (lifting ?h ?c)) (available ?h) (not (clear ?a1)) (on ?c ?a1)
                  (in ?c ?p)))
  (:action move
     :parameters (?h - hoist ?from ?to - storearea)
     :precondition (and (at ?h ?from) (clear ?to) (connected ?from ?to))
     :effect (and (not (at ?h ?from)) (at ?h ?to) (not (clear ?to)) (clear ?from)))
  (:action go-out
     :parameters (?h - hoist ?from - storearea ?to - transit)
     :precondition (and (at ?h ?from) (connected ?from ?to))
     :effect (and (not (at ?h ?from)) (at ?h ?to) (clear ?from)))
  (:action go-in
     :parameters (?h - hoist ?from - transit ?to - storearea)
     :precondition (and (at ?h ?from) (connected ?from ?to) (clear ?to))
     :effect (and (not (at ?h ?from)) (at ?h ?to) (not (clear ?to)))))
---
(define (problem sheds-1)
  (:domain Sheds)
  (:objects s-1 s-2 box-1 - storearea h0 - hoist c0 - crate box - container shed0 - shed
            yard - transit)
  (:init (connected s-1 s-2) (connected s-2 s-1) (connected s-1 yard) (connected yard s-1)
         (connected box-1 yard) (connected yard box-1)
         (in s-1 shed0) (in s-2 shed0) (in box-1 box)
         (on c0 box-1) (in c0 box) (clear s-1) (at h0 s-2) (available h0))
  (:goal (and (in c0 shed0))))
