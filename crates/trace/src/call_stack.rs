//! The stack of functions that a core executes, reconstructed from its control transfers.
//!
//! The address of the return address on the stack identifies a call. The return address of a new
//! call lies below those of all open calls; open calls for which this is not so were left without a
//! return (longjmp, a call that only reads its own address), and end. A return, an IRET, and a jump
//! after which the stack pointer is higher end the calls below the new stack pointer. Frames
//! therefore nest, whatever a program does. If a program switches stacks, its open calls end early.

/// The kind of a control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Call,
    Return,
    /// A jump, into another function or within one.
    Jump,
    /// The delivery of an interrupt or exception to the handler of a vector.
    Enter,
    /// IRET.
    Leave,
}

/// One control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub time_ps: u64,
    pub way: Way,
    pub user: bool,
    /// The address of the next instruction; for `Enter` the number of the vector.
    pub target: u32,
    /// The address of the return address on the stack; for a jump and an IRET the stack pointer
    /// after it.
    pub stack: u32,
}

/// An open call of a function, or of a handler (`handler`); `of`: the caller's data for it.
#[derive(Clone, Copy, Debug)]
pub struct Frame<T> {
    /// The address of the return address on the stack.
    slot: u32,
    handler: bool,
    pub of: T,
}

/// The largest number of open calls that are kept. A guest determines the depth of its calls, and
/// each call costs the host memory.
const DEEPEST: usize = 1024;

/// The open calls of a core, the innermost last.
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

    /// Removes the frames that a step ends, and calls `end` with each, the innermost first. Call
    /// before [`CallStack::enter`] for the step.
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
                // The IRET returns to the code that the handler interrupted, unless the handler has
                // left that code's frames, too.
                self.leave_behind(step, &mut end);
                return;
            }
        }
    }

    /// After an IRET to ring 3: ends the calls whose return addresses lie below the stack pointer.
    fn leave_behind(&mut self, step: &Step, end: &mut impl FnMut(&mut CallStack<T>, T)) {
        let gone = |frame: &Frame<T>| !frame.handler && frame.slot < step.stack;
        while step.user && self.frames.last().is_some_and(gone) {
            let Some(frame) = self.frames.pop() else { return };
            end(self, frame.of);
        }
    }

    /// Adds a frame; returns false, and adds none, if [`DEEPEST`] frames are open.
    pub fn enter(&mut self, step: &Step, of: T) -> bool {
        let fits = self.frames.len() < DEEPEST;
        if fits {
            self.frames.push(Frame { slot: step.stack, handler: step.way == Way::Enter, of });
        }
        fits
    }

    /// Replaces the data of the innermost frame, whose function has jumped to another function (a
    /// tail call), and returns the old data. `None` for a handler or without a frame.
    pub fn become_other(&mut self, of: T) -> Option<T> {
        let frame = self.frames.last_mut().filter(|frame| !frame.handler)?;
        Some(std::mem::replace(&mut frame.of, of))
    }

    /// Removes the innermost frame and returns its data.
    pub fn pop(&mut self) -> Option<T> {
        self.frames.pop().map(|frame| frame.of)
    }
}
