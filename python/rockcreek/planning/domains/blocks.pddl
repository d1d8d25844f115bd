; Towers of blocks and one hand, after the world of [gupta-1992] as the second
; planning competition had it [bacchus-2001].
(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?block ?below) (on-table ?block) (clear ?block)
               (hand-empty) (holding ?block))
  (:action pick-up
    :parameters (?block)
    :precondition (and (clear ?block) (on-table ?block) (hand-empty))
    :effect (and (holding ?block) (not (on-table ?block))
                 (not (clear ?block)) (not (hand-empty))))
  (:action put-down
    :parameters (?block)
    :precondition (holding ?block)
    :effect (and (on-table ?block) (clear ?block) (hand-empty)
                 (not (holding ?block))))
  (:action stack
    :parameters (?block ?below)
    :precondition (and (holding ?block) (clear ?below))
    :effect (and (on ?block ?below) (clear ?block) (hand-empty)
                 (not (holding ?block)) (not (clear ?below))))
  (:action unstack
    :parameters (?block ?below)
    :precondition (and (on ?block ?below) (clear ?block) (hand-empty))
    :effect (and (holding ?block) (clear ?below) (not (on ?block ?below))
                 (not (clear ?block)) (not (hand-empty)))))
