; A robot with two grippers carries balls to another room: the first planning
; competition's [mcdermott-2000].
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball gripper)
  (:predicates (robot-in ?room - room) (ball-in ?ball - ball ?room - room)
               (free ?gripper - gripper)
               (carries ?gripper - gripper ?ball - ball))
  (:action move
    :parameters (?from ?to - room)
    :precondition (robot-in ?from)
    :effect (and (robot-in ?to) (not (robot-in ?from))))
  (:action pick
    :parameters (?ball - ball ?room - room ?gripper - gripper)
    :precondition (and (ball-in ?ball ?room) (robot-in ?room) (free ?gripper))
    :effect (and (carries ?gripper ?ball) (not (ball-in ?ball ?room))
                 (not (free ?gripper))))
  (:action drop
    :parameters (?ball - ball ?room - room ?gripper - gripper)
    :precondition (and (carries ?gripper ?ball) (robot-in ?room))
    :effect (and (ball-in ?ball ?room) (free ?gripper)
                 (not (carries ?gripper ?ball)))))
