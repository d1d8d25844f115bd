; Trucks between depots whose hoists stack crates on pallets: logistics and
; blocks together, of the third planning competition [long-2003].
(define (domain depots)
  (:requirements :strips :typing)
  (:types place locatable - object
          truck hoist surface - locatable
          pallet crate - surface)
  (:predicates (at ?thing - locatable ?place - place)
               (on ?crate - crate ?below - surface)
               (in ?crate - crate ?truck - truck)
               (lifting ?hoist - hoist ?crate - crate)
               (available ?hoist - hoist)
               (clear ?surface - surface))
  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (at ?truck ?from)
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))
  (:action lift
    :parameters (?hoist - hoist ?crate - crate ?below - surface ?place - place)
    :precondition (and (at ?hoist ?place) (available ?hoist)
                       (at ?crate ?place) (on ?crate ?below) (clear ?crate))
    :effect (and (lifting ?hoist ?crate) (clear ?below)
                 (not (at ?crate ?place)) (not (clear ?crate))
                 (not (available ?hoist)) (not (on ?crate ?below))))
  (:action drop
    :parameters (?hoist - hoist ?crate - crate ?below - surface ?place - place)
    :precondition (and (at ?hoist ?place) (at ?below ?place) (clear ?below)
                       (lifting ?hoist ?crate))
    :effect (and (available ?hoist) (at ?crate ?place) (clear ?crate)
                 (on ?crate ?below) (not (lifting ?hoist ?crate))
                 (not (clear ?below))))
  (:action load
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (at ?truck ?place)
                       (lifting ?hoist ?crate))
    :effect (and (in ?crate ?truck) (available ?hoist)
                 (not (lifting ?hoist ?crate))))
  (:action unload
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (at ?truck ?place)
                       (available ?hoist) (in ?crate ?truck))
    :effect (and (lifting ?hoist ?crate) (not (in ?crate ?truck))
                 (not (available ?hoist)))))
