//! The packets of one sequence, as bytes of a trace file.

use prost::Message;
use prost::encoding::encode_varint;
use rustc_hash::FxHashMap;

use crate::format::{
    COUNTER, CounterDescriptor, DebugAnnotation, EventName, INSTANT, InternedData, NEEDS_STATE,
    ProcessDescriptor, SLICE_BEGIN, SLICE_END, STATE_CLEARED, ThreadDescriptor, TracePacket,
    TracePacketDefaults, TrackDescriptor, TrackEvent, TrackEventDefaults,
};

/// A track, by its unique number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Track(pub u64);

/// The kind of a track, and its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Process {
        pid: i32,
    },
    Thread {
        pid: i32,
        tid: i64,
    },
    /// A counter with a unit, below another track or at the top level.
    Counter {
        parent: Option<Track>,
        unit: String,
    },
    /// A track of slices or a group.
    Other {
        parent: Option<Track>,
    },
}

/// An event's data besides its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    pub category: Option<String>,
    pub values: Vec<(String, i64)>,
    /// The number of an arrow, and true if the arrow ends at this event (false: it begins here).
    pub flow: Option<(u64, bool)>,
}

/// The key of a packet in the message `Trace`: field 1, followed by the packet's length.
const PACKET_KEY: u8 = 1 << 3 | 2;
const PS_PER_NS: u64 = 1000;

/// The packets of one sequence.
#[derive(Debug)]
pub struct Packets {
    bytes: Vec<u8>,
    sequence: u32,
    own: Track,
    interned: FxHashMap<String, u64>,
    pub events: u64,
}

impl Packets {
    /// A new sequence. `own`: the track of most of its events, whose number these then omit.
    pub fn new(sequence: u32, own: Track) -> Packets {
        let interned = FxHashMap::default();
        let mut packets = Packets { bytes: Vec::new(), sequence, own, interned, events: 0 };
        let track_event_defaults = Some(TrackEventDefaults { track_uuid: Some(own.0) });
        packets.put(TracePacket {
            timestamp: Some(0),
            sequence_flags: Some(STATE_CLEARED),
            trace_packet_defaults: Some(TracePacketDefaults { track_event_defaults }),
            ..TracePacket::default()
        });
        packets
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn put(&mut self, packet: TracePacket) {
        let packet = TracePacket { trusted_packet_sequence_id: Some(self.sequence), ..packet };
        self.bytes.push(PACKET_KEY);
        encode_varint(packet.encoded_len() as u64, &mut self.bytes);
        packet.encode_raw(&mut self.bytes);
    }

    /// Writes the description of a track.
    pub fn describe(&mut self, track: Track, name: &str, place: Place) {
        let mut descriptor = TrackDescriptor { uuid: Some(track.0), ..TrackDescriptor::default() };
        let own_name = Some(name.to_owned());
        match place {
            Place::Process { pid } => {
                let process = ProcessDescriptor { pid: Some(pid), process_name: own_name };
                descriptor.process = Some(process);
            }
            Place::Thread { pid, tid } => {
                let (pid, tid) = (Some(pid), Some(tid));
                descriptor.thread = Some(ThreadDescriptor { pid, tid, thread_name: own_name });
            }
            Place::Counter { parent, unit } => {
                descriptor.name = own_name;
                descriptor.parent_uuid = parent.map(|track| track.0);
                descriptor.counter = Some(CounterDescriptor { unit_name: Some(unit) });
            }
            Place::Other { parent } => {
                descriptor.name = own_name;
                descriptor.parent_uuid = parent.map(|track| track.0);
            }
        }
        self.put(TracePacket { track_descriptor: Some(descriptor), ..TracePacket::default() });
    }

    fn event(&mut self, time_ps: u64, event: TrackEvent, names: Option<InternedData>) {
        self.events += 1;
        self.put(TracePacket {
            timestamp: Some(time_ps / PS_PER_NS),
            sequence_flags: Some(NEEDS_STATE),
            track_event: Some(event),
            interned_data: names,
            ..TracePacket::default()
        });
    }

    fn uuid(&self, track: Track) -> Option<u64> {
        (track != self.own).then_some(track.0)
    }

    fn named(&mut self, how: i32, time_ps: u64, track: Track, name: &str, extra: &Extra) {
        let (name_iid, names) = self.intern(name);
        let flow = |ends: bool| {
            extra.flow.iter().filter(|(_, end)| *end == ends).map(|(id, _)| *id).collect()
        };
        let annotations = extra.values.iter().map(|(name, value)| DebugAnnotation {
            name: Some(name.clone()),
            int_value: Some(*value),
        });
        let event = TrackEvent {
            r#type: Some(how),
            name_iid: Some(name_iid),
            track_uuid: self.uuid(track),
            categories: extra.category.iter().cloned().collect(),
            debug_annotations: annotations.collect(),
            flow_ids: flow(false),
            terminating_flow_ids: flow(true),
            ..TrackEvent::default()
        };
        self.event(time_ps, event, names);
    }

    /// Returns the number of a name, and the packet that defines the name if the name is new.
    fn intern(&mut self, name: &str) -> (u64, Option<InternedData>) {
        if let Some(&iid) = self.interned.get(name) {
            return (iid, None);
        }
        let iid = self.interned.len() as u64 + 1;
        self.interned.insert(name.to_owned(), iid);
        let new = EventName { iid: Some(iid), name: Some(name.to_owned()) };
        (iid, Some(InternedData { event_names: vec![new] }))
    }

    pub fn begin(&mut self, time_ps: u64, track: Track, name: &str, extra: &Extra) {
        self.named(SLICE_BEGIN, time_ps, track, name, extra);
    }

    pub fn end(&mut self, time_ps: u64, track: Track) {
        let (how, track_uuid) = (Some(SLICE_END), self.uuid(track));
        let event = TrackEvent { r#type: how, track_uuid, ..TrackEvent::default() };
        self.event(time_ps, event, None);
    }

    pub fn instant(&mut self, time_ps: u64, track: Track, name: &str, extra: &Extra) {
        self.named(INSTANT, time_ps, track, name, extra);
    }

    fn counter(&mut self, time_ps: u64, track: Track, value: TrackEvent) {
        let (how, track_uuid) = (Some(COUNTER), self.uuid(track));
        self.event(time_ps, TrackEvent { r#type: how, track_uuid, ..value }, None);
    }

    pub fn count(&mut self, time_ps: u64, track: Track, value: i64) {
        let counter_value = Some(value);
        self.counter(time_ps, track, TrackEvent { counter_value, ..TrackEvent::default() });
    }

    pub fn measure(&mut self, time_ps: u64, track: Track, value: f64) {
        let double_counter_value = Some(value);
        self.counter(time_ps, track, TrackEvent { double_counter_value, ..TrackEvent::default() });
    }
}
