;; One truck a town, one aeroplane: untyped and loud, as in 1998.
(DEFINE (DOMAIN PARCELS)
  (:REQUIREMENTS :STRIPS)
  (:PREDICATES (OBJECT ?O) (TRUCK ?T) (LOCATION ?L) (AT ?X ?L) (IN ?X ?V))
  (:ACTION LOAD
   :PARAMETERS (?O ?T ?L)
   :PRECONDITION (AND (OBJECT ?O) (TRUCK ?T) (LOCATION ?L) (AT ?O ?L) (AT ?T ?L))
   :EFFECT (AND (NOT (AT ?O ?L)) (IN ?O ?T)))
  (:ACTION UNLOAD
   :PARAMETERS (?O ?T ?L)
   :PRECONDITION (AND (OBJECT ?O) (TRUCK ?T) (LOCATION ?L) (IN ?O ?T) (AT ?T ?L))
   :EFFECT (AND (NOT (IN ?O ?T)) (AT ?O ?L)))
  (:ACTION DRIVE
   :PARAMETERS (?T ?FROM ?TO)
   :PRECONDITION (AND (TRUCK ?T) (LOCATION ?FROM) (LOCATION ?TO) (AT ?T ?FROM))
   :EFFECT (AND (NOT (AT ?T ?FROM)) (AT ?T ?TO))))
---
(define (problem parcels-1) (:domain parcels)
  (:length (:serial 8) (:parallel 4))
  (:objects P1 P2 T1 L1 L2 L3)
  (:init (OBJECT P1) (OBJECT P2) (TRUCK T1) (LOCATION L1) (LOCATION L2) (LOCATION L3)
         (AT P1 L1) (AT P2 L2) (AT T1 L3))
  (:goal (AND (AT P1 L3) (AT P2 L1))))
