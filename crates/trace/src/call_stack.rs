//! The functions that a core is in, from its calls, returns and jumps alone.
//!
//! The places of return addresses on the stack show which return belongs to which call. A new call
//! lies lower on the stack than all open calls; open calls that do not lie higher were left without
//! a return (longjmp, a call that only reads its own address), and end. A return, an IRET, and a
//! jump that has moved the stack pointer up end the calls below the new stack pointer. So frames
//! nest whatever a program does; on a stack that was exchanged for another they end early.

/// How a core went elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Call,
    Return,
    /// Into another function, or anywhere.
    Jump,
    /// To the handler of a vector.
    Enter,
    /// IRET.
    Leave,
}

/// One such step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub time_ps: u64,
    pub way: Way,
    pub user: bool,
    /// An address, or a vector.
    pub target: u32,
    /// Where the return address lies or lay; of a jump and an IRET the stack pointer behind it.
    pub stack: u32,
}

/// A function that has not returned, or a handler.
#[derive(Clone, Copy, Debug)]
pub struct Frame<T> {
    /// Where its return address lies.
    slot: u32,
    handler: bool,
    pub of: T,
}

/// More than this are not kept: a program that only calls cannot fill the host.
const DEEPEST: usize = 1024;

/// All that a core is in, the innermost last.
#[derive(Clone, Debug)]
pub struct CallStack<T> {
    frames: Vec<Frame<T>>,
}

impl<T> Default for CallStack<T> {
    fn default() -> CallStack<T> {
        CallStack { frames: Vec::new() }
    }
}

impl<T> CallStack<T> {
    pub fn frames(&self) -> &[Frame<T>] {
        &self.frames
    }

    pub fn innermost(&mut self) -> Option<&mut T> {
        self.frames.last_mut().map(|frame| &mut frame.of)
    }

    /// Frames that end before a step's own effect are given to `end`, the innermost first.
    pub fn leave(&mut self, step: &Step, mut end: impl FnMut(&mut CallStack<T>, T)) {
        let stays = |frame: &Frame<T>| match step.way {
            Way::Call => frame.slot > step.stack || frame.handler,
            Way::Return => frame.slot > step.stack || frame.handler,
            Way::Jump => frame.slot >= step.stack || frame.handler,
            Way::Enter => true,
            Way::Leave => false,
        };
        while self.frames.last().is_some_and(|frame| !stays(frame)) {
            let Some(frame) = self.frames.pop() else { return };
            let handler = frame.handler;
            end(self, frame.of);
            if step.way == Way::Leave && handler {
                // It goes back to what the handler has interrupted, unless that was left, too.
                self.leave_behind(step, &mut end);
                return;
            }
        }
    }

    /// After an IRET to ring 3: what lies below its stack pointer is no longer there.
    fn leave_behind(&mut self, step: &Step, end: &mut impl FnMut(&mut CallStack<T>, T)) {
        let gone = |frame: &Frame<T>| !frame.handler && frame.slot < step.stack;
        while step.user && self.frames.last().is_some_and(gone) {
            let Some(frame) = self.frames.pop() else { return };
            end(self, frame.of);
        }
    }

    /// A frame begins; false if there are too many.
    pub fn enter(&mut self, step: &Step, of: T) -> bool {
        let fits = self.frames.len() < DEEPEST;
        if fits {
            self.frames.push(Frame { slot: step.stack, handler: step.way == Way::Enter, of });
        }
        fits
    }

    /// The innermost becomes another one: it has jumped there. It returns to where that would.
    pub fn become_other(&mut self, of: T) -> Option<T> {
        let frame = self.frames.last_mut().filter(|frame| !frame.handler)?;
        Some(std::mem::replace(&mut frame.of, of))
    }

    /// Ends the innermost.
    pub fn pop(&mut self) -> Option<T> {
        self.frames.pop().map(|frame| frame.of)
    }
}
