//! The host channel of each core: how a kernel asks the management PC for a service, reports its
//! end, and leaves marks.
//!
//! The channel moves bytes between the core's memory and a [`HostService`]; what they mean is
//! the service's business. Request and reply buffers are reached through the core's LUT, not
//! through its caches, as the PC always reached the SCC's memory. A call takes a fixed simulated
//! time, whatever the host really needs.

use rockcreek_defs::registers::host::{
    CHANNEL, CHANNEL_STRIDE, doorbell, exit_address, exit_code, exit_done, exit_eip, exit_reason,
    exit_vector, mark, reply_address, reply_capacity, reply_length, request_address,
    request_length,
};
use rockcreek_defs::registers::mailbox::done;
use rockcreek_defs::{CoreAddr, CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::Action;

/// A program on the host that answers requests.
pub trait HostService: Send {
    /// The reply to `request`, or `None` if there is no such service.
    fn call(&mut self, core: CoreId, service: u32, request: &[u8]) -> Option<Vec<u8>>;

    /// What the service must remember for a chip that is saved now and restored later, in a form
    /// of its own.
    fn save(&self) -> Vec<u8>;
}

/// The report of a core at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    pub reason: u32,
    pub code: u32,
    pub eip: u32,
    pub address: u32,
    pub vector: u32,
    pub time: Ps,
}

impl Exit {
    /// The reason (EXIT_REASON) of a program that ended by itself.
    pub const ORDINARY: u32 = 1;
    /// The core's clock needs more than its voltage; no program reports this reason.
    pub const UNDERVOLTAGE: u32 = 4;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u32)]
enum Status {
    #[default]
    Idle = 0,
    Busy = 1,
    Done = 2,
    Error = 3,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Channel {
    request_address: u32,
    request_length: u32,
    reply_address: u32,
    reply_capacity: u32,
    reply_length: u32,
    status: Status,
    /// The reply of a call whose simulated time is not over.
    #[serde(with = "serde_bytes")]
    reply: Option<Vec<u8>>,
    exit: Exit,
    ended: bool,
}

/// A user's mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub time: Ps,
    pub core: CoreId,
    pub id: u32,
}

/// All channels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostLink {
    channels: Vec<Channel>,
    /// The first ones.
    marks: Vec<Mark>,
    /// The number of marks, with those that are not kept.
    marked: u64,
    /// sccKit's mailbox: memory that keeps what a driver wrote; no answer comes.
    mailbox: Vec<u32>,
}

/// The longest request or reply; 9P messages stay far below.
const LONGEST: u32 = 16 << 20;

/// Marks that are kept, of all cores: a guest can leave one every few instructions.
const MOST_MARKS: usize = 100_000;

/// Words of sccKit's mailbox.
const MAILBOX_WORDS: usize = (done::OFFSET / done::STRIDE + done::COUNT) as usize;

/// The word of the mailbox at an offset of the host's segment.
fn mailbox_word(offset: u32) -> Option<usize> {
    let word = (offset / done::STRIDE) as usize;
    (word < MAILBOX_WORDS).then_some(word)
}

impl HostLink {
    pub fn new(cores: usize) -> HostLink {
        HostLink {
            channels: vec![Channel::default(); cores],
            marks: Vec::new(),
            marked: 0,
            mailbox: vec![0; MAILBOX_WORDS],
        }
    }

    /// The channel and register at an offset inside the host's LUT segment.
    fn decode(&self, offset: u32) -> Option<(usize, u32)> {
        let at = offset.checked_sub(CHANNEL & 0x00FF_FFFF)?;
        let core = (at / CHANNEL_STRIDE) as usize;
        (core < self.channels.len()).then_some((core, at % CHANNEL_STRIDE))
    }

    /// Reads the 32-bit register at `offset` of the host's segment.
    pub fn read(&self, offset: u32) -> u32 {
        if let Some(word) = mailbox_word(offset) {
            return self.mailbox[word];
        }
        let Some((core, register)) = self.decode(offset) else { return 0 };
        let channel = &self.channels[core];
        match register {
            request_address::OFFSET => channel.request_address,
            request_length::OFFSET => channel.request_length,
            reply_address::OFFSET => channel.reply_address,
            reply_capacity::OFFSET => channel.reply_capacity,
            doorbell::OFFSET => channel.status as u32,
            reply_length::OFFSET => channel.reply_length,
            exit_reason::OFFSET => channel.exit.reason,
            exit_code::OFFSET => channel.exit.code,
            exit_eip::OFFSET => channel.exit.eip,
            exit_address::OFFSET => channel.exit.address,
            exit_vector::OFFSET => channel.exit.vector,
            _ => 0,
        }
    }

    /// Writes the 32-bit register at `offset` of the host's segment.
    pub fn write(&mut self, time: Ps, offset: u32, value: u32, actions: &mut Vec<Action>) {
        if let Some(word) = mailbox_word(offset) {
            self.mailbox[word] = value;
            return;
        }
        let Some((core, register)) = self.decode(offset) else { return };
        let channel = &mut self.channels[core];
        let core = CoreId(core as u16);
        match register {
            request_address::OFFSET => channel.request_address = value,
            request_length::OFFSET => channel.request_length = value,
            reply_address::OFFSET => channel.reply_address = value,
            reply_capacity::OFFSET => channel.reply_capacity = value,
            doorbell::OFFSET if channel.status != Status::Busy => {
                channel.status = Status::Busy;
                actions.push(Action::HostCall { core, service: value });
            }
            exit_reason::OFFSET => channel.exit.reason = value,
            exit_code::OFFSET => channel.exit.code = value,
            exit_eip::OFFSET => channel.exit.eip = value,
            exit_address::OFFSET => channel.exit.address = value,
            exit_vector::OFFSET => channel.exit.vector = value,
            exit_done::OFFSET if value == 1 && !channel.ended => {
                channel.exit.time = time;
                channel.ended = true;
                actions.push(Action::Ended { core });
            }
            mark::OFFSET => {
                self.marked += 1;
                if self.marks.len() < MOST_MARKS {
                    self.marks.push(Mark { time, core, id: value });
                    actions.push(Action::Marked { core });
                }
            }
            _ => {}
        }
    }

    /// The address and length of a call's request; `None` if it is longer than [`LONGEST`].
    pub fn request(&self, core: CoreId) -> Option<(CoreAddr, usize)> {
        let channel = &self.channels[core.index()];
        (channel.request_length <= LONGEST)
            .then_some((CoreAddr(channel.request_address), channel.request_length as usize))
    }

    /// Holds the host's answer until the call's simulated time is over.
    pub fn hold_reply(&mut self, core: CoreId, reply: Option<Vec<u8>>) {
        self.channels[core.index()].reply = reply;
    }

    /// Ends a call: the bytes to write and where, if all went well and they fit.
    pub fn finish(&mut self, core: CoreId) -> Option<(CoreAddr, Vec<u8>)> {
        let channel = &mut self.channels[core.index()];
        let fits = |reply: &Vec<u8>| reply.len() <= channel.reply_capacity as usize;
        let reply = channel.reply.take().filter(fits);
        channel.status = if reply.is_some() { Status::Done } else { Status::Error };
        channel.reply_length = reply.as_ref().map_or(0, |reply| reply.len() as u32);
        Some((CoreAddr(channel.reply_address), reply?))
    }

    /// Ends a call with an error, because its reply's buffer is not memory.
    pub fn fail(&mut self, core: CoreId) {
        let channel = &mut self.channels[core.index()];
        (channel.status, channel.reply_length) = (Status::Error, 0);
    }

    /// The chip ends a core that has not ended itself.
    pub fn end(&mut self, core: CoreId, exit: Exit) {
        let channel = &mut self.channels[core.index()];
        if !channel.ended {
            (channel.exit, channel.ended) = (exit, true);
        }
    }

    /// The core gets new software, which may end, too.
    pub fn forget_exit(&mut self, core: CoreId) {
        self.channels[core.index()].ended = false;
    }

    /// The record of a core that has ended.
    pub fn exit(&self, core: CoreId) -> Option<Exit> {
        let channel = &self.channels[core.index()];
        channel.ended.then_some(channel.exit)
    }

    /// The first marks.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The number of marks that are not kept.
    pub fn marks_dropped(&self) -> u64 {
        self.marked - self.marks.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mailbox_is_plain() {
        let (mut link, mut actions) = (HostLink::new(2), Vec::new());
        link.write(Ps(0), 0x9C, 7, &mut actions);
        assert_eq!((link.read(0x9C), link.read(0xA0), actions.len()), (7, 0, 0));
    }

    #[test]
    fn marks_are_kept_up_to_a_number_and_counted_beyond() {
        let (mut link, mut actions) = (HostLink::new(1), Vec::new());
        for id in 0..MOST_MARKS as u32 + 7 {
            link.write(Ps(u64::from(id)), 0x10_0060, id, &mut actions);
        }
        assert_eq!((link.marks().len(), link.marks_dropped()), (MOST_MARKS, 7));
        assert_eq!((link.marks()[9].id, actions.len()), (9, MOST_MARKS));
    }

    #[test]
    fn a_call_is_busy_until_it_is_finished() {
        let (mut link, mut actions) = (HostLink::new(48), Vec::new());
        let base = 0x10_0000 + 0x100 * 7;
        for (register, value) in [(0x00, 0x1000), (0x04, 5), (0x08, 0x2000), (0x0C, 4), (0x10, 1)] {
            link.write(Ps(1), base + register, value, &mut actions);
        }
        assert_eq!(actions, [Action::HostCall { core: CoreId(7), service: 1 }]);
        assert_eq!(link.request(CoreId(7)), Some((CoreAddr(0x1000), 5)));
        assert_eq!(link.read(base + 0x10), 1);
        link.hold_reply(CoreId(7), Some(vec![1, 2, 3]));
        assert_eq!(link.finish(CoreId(7)), Some((CoreAddr(0x2000), vec![1, 2, 3])));
        assert_eq!((link.read(base + 0x10), link.read(base + 0x14)), (2, 3));
        link.hold_reply(CoreId(7), Some(vec![0; 5]));
        assert_eq!(link.finish(CoreId(7)), None, "the reply is too long for its buffer");
        assert_eq!((link.read(base + 0x10), link.read(base + 0x14)), (3, 0));
    }

    #[test]
    fn an_exit_record_counts_once_it_is_complete() {
        let (mut link, mut actions) = (HostLink::new(2), Vec::new());
        link.write(Ps(1), 0x10_0140, 1, &mut actions);
        link.write(Ps(1), 0x10_0144, 42, &mut actions);
        assert_eq!(link.exit(CoreId(1)), None);
        link.write(Ps(9), 0x10_0154, 1, &mut actions);
        link.write(Ps(10), 0x10_0154, 1, &mut actions);
        assert_eq!(actions, [Action::Ended { core: CoreId(1) }]);
        let exit = link.exit(CoreId(1)).unwrap();
        assert_eq!((exit.reason, exit.code, exit.time), (1, 42, Ps(9)));
    }
}
