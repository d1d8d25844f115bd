//! A small 9P2000.L client, as the guest's kernel is one.

use std::fs;

use rockcreek_board::HostService;
use rockcreek_defs::CoreId;
use rockcreek_host::{FILE_SERVICE, FileService};
use tempfile::TempDir;

pub const ROOT: u32 = 0;
/// The service had none; no error of a guest has this number.
pub const NO_ANSWER: u32 = 0;

/// A body under construction.
#[derive(Default)]
pub struct Body(pub Vec<u8>);

impl Body {
    pub fn u16(mut self, value: u16) -> Body {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn u32(mut self, value: u32) -> Body {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn u64(mut self, value: u64) -> Body {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn bytes(mut self, bytes: &[u8]) -> Body {
        self.0.extend(bytes);
        self
    }

    pub fn string(self, string: &str) -> Body {
        self.u16(string.len() as u16).bytes(string.as_bytes())
    }
}

pub fn body() -> Body {
    Body::default()
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// A service over a temporary folder, seen by one core.
pub struct Client {
    pub dir: TempDir,
    pub service: FileService,
    pub core: CoreId,
}

impl Client {
    pub fn new() -> Client {
        let dir = TempDir::new().unwrap();
        let mut service = FileService::new();
        fs::create_dir(dir.path().join("shared")).unwrap();
        fs::write(dir.path().join("secret"), "secret").unwrap();
        service.share(&dir.path().join("shared")).unwrap();
        let mut client = Client { dir, service, core: CoreId(0) };
        client.start();
        client
    }

    pub fn start(&mut self) {
        let reply = self.call(100, body().u32(8192).string("9P2000.L")).unwrap();
        assert_eq!(reply, body().u32(8192).string("9P2000.L").0);
        self.call(104, body().u32(ROOT).u32(!0).string("").string("").u32(!0)).unwrap();
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join("shared").join(name)
    }

    pub fn call(&mut self, kind: u8, body: Body) -> Result<Vec<u8>, u32> {
        let mut message = (body.0.len() as u32 + 7).to_le_bytes().to_vec();
        message.extend([kind, 0x34, 0x12]);
        message.extend(body.0);
        let Some(reply) = self.service.call(self.core, FILE_SERVICE, &message) else {
            return Err(NO_ANSWER);
        };
        assert_eq!(u32_at(&reply, 0) as usize, reply.len());
        assert_eq!(reply[5..7], [0x34, 0x12], "the tag comes back");
        match reply[4] {
            7 => Err(u32_at(&reply, 7)),
            other => {
                assert_eq!(other, kind + 1);
                Ok(reply[7..].to_vec())
            }
        }
    }

    /// Walks a path from the root; the number of names that exist.
    pub fn walk(&mut self, fid: u32, path: &str) -> Result<u16, u32> {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let start = body().u32(ROOT).u32(fid).u16(names.len() as u16);
        let request = names.iter().fold(start, |body, name| body.string(name));
        let reply = self.call(110, request)?;
        Ok(u16::from_le_bytes([reply[0], reply[1]]))
    }

    pub fn open(&mut self, fid: u32, flags: u32) -> Result<Vec<u8>, u32> {
        self.call(12, body().u32(fid).u32(flags))
    }

    pub fn create(&mut self, fid: u32, name: &str, flags: u32) -> Result<Vec<u8>, u32> {
        self.walk(fid, "")?;
        let created = self.call(14, body().u32(fid).string(name).u32(flags).u32(0o666).u32(0));
        if created.is_err() {
            self.clunk(fid);
        }
        created
    }

    pub fn write(&mut self, fid: u32, offset: u64, data: &[u8]) -> Result<u32, u32> {
        let request = body().u32(fid).u64(offset).u32(data.len() as u32).bytes(data);
        self.call(118, request).map(|reply| u32_at(&reply, 0))
    }

    pub fn read(&mut self, fid: u32, offset: u64, count: u32) -> Result<Vec<u8>, u32> {
        let reply = self.call(116, body().u32(fid).u64(offset).u32(count))?;
        assert_eq!(u32_at(&reply, 0) as usize, reply.len() - 4);
        Ok(reply[4..].to_vec())
    }

    pub fn attributes(&mut self, fid: u32) -> Result<Vec<u8>, u32> {
        self.call(24, body().u32(fid).u64(0x7FF))
    }

    pub fn clunk(&mut self, fid: u32) {
        self.call(120, body().u32(fid)).unwrap();
    }

    /// Names in an open directory, with their types.
    pub fn list(&mut self, fid: u32, count: u32) -> Vec<(String, u8)> {
        let mut names = Vec::new();
        let mut offset = 0;
        loop {
            let reply = self.call(40, body().u32(fid).u64(offset).u32(count)).unwrap();
            let mut at = 4;
            if at == reply.len() {
                return names;
            }
            while at < reply.len() {
                offset = u64_at(&reply, at + 13);
                let kind = reply[at + 21];
                let length = usize::from(u16::from_le_bytes([reply[at + 22], reply[at + 23]]));
                let name = String::from_utf8(reply[at + 24..at + 24 + length].to_vec()).unwrap();
                names.push((name, kind));
                at += 24 + length;
            }
        }
    }
}
