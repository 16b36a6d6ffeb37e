"use strict";
// The files of the program: a map from names to bytes, in place of a disk. It has what package syscall of Go
// asks of Node's fs, which it calls with a function that takes an error and a result.
const files = new Map(); // name -> Uint8Array
(() => {
  const decoder = new TextDecoder();
  const open = new Map(); // number -> { name, at }
  let next = 100;
  const clean = (name) => name.replace(/^\.\//, "").replace(/^\/(home\/)?/, "").replace(/\/+$/, "");
  const failure = (code) => Object.assign(new Error(code), { code });
  const isFolder = (name) => name === "" || name === "." || name === "tmp" || [...files.keys()].some((k) => k.startsWith(name + "/"));
  const status = (name) => {
    const folder = isFolder(name);
    if (!folder && !files.has(name)) throw failure("ENOENT");
    const size = folder ? 0 : files.get(name).length;
    return {
      dev: 0, ino: 0, mode: folder ? 0o040777 : 0o100666, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
      blocks: Math.ceil(size / 512), atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => folder,
    };
  };
  const write = (fd, bytes, position) => {
    if (fd === 1 && self.intoFile) {
      const old = files.get(self.intoFile) ?? new Uint8Array(0), now = new Uint8Array(old.length + bytes.length);
      now.set(old);
      now.set(bytes, old.length);
      files.set(self.intoFile, now);
      return bytes.length;
    }
    if (fd === 1 || fd === 2) {
      self.postMessage({ [fd === 1 ? "out" : "diag"]: decoder.decode(bytes, { stream: true }) });
      return bytes.length;
    }
    const file = open.get(fd);
    if (!file) throw failure("EBADF");
    const at = position ?? file.at, old = files.get(file.name) ?? new Uint8Array(0);
    const now = old.length >= at + bytes.length ? old : new Uint8Array(at + bytes.length);
    if (now !== old) now.set(old);
    now.set(bytes, at);
    files.set(file.name, now);
    if (position == null) file.at = at + bytes.length;
    return bytes.length;
  };
  // each calls back with what a function returns or throws.
  const each = (functions) => Object.fromEntries(Object.entries(functions).map(([name, f]) => [name, (...args) => {
    const done = args.pop();
    let result;
    try { result = f(...args); } catch (e) { done(e.code ? e : Object.assign(e, { code: "EIO" })); return; }
    done(null, result);
  }]));
  self.fs = {
    constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 },
    writeSync: (fd, bytes) => write(fd, bytes, null),
    ...each({
      open(path, flags) {
        const name = clean(path), there = files.has(name);
        if (!there && !isFolder(name) && !(flags & 64)) throw failure("ENOENT");
        if (there && flags & 64 && flags & 128) throw failure("EEXIST");
        if ((!there || flags & 512) && flags & 3) files.set(name, new Uint8Array(0));
        open.set(next, { name, at: flags & 1024 ? files.get(name).length : 0 });
        return next++;
      },
      close(fd) { open.delete(fd); },
      read(fd, buffer, offset, length, position) {
        if (fd === 0) return 0;
        const file = open.get(fd);
        if (!file || !files.has(file.name)) throw failure(file ? "EISDIR" : "EBADF");
        const bytes = files.get(file.name).subarray(position ?? file.at).subarray(0, length);
        buffer.set(bytes, offset);
        if (position == null) file.at += bytes.length;
        return bytes.length;
      },
      write(fd, buffer, offset, length, position) { return write(fd, buffer.subarray(offset, offset + length), position); },
      stat(path) { return status(clean(path)); },
      lstat(path) { return status(clean(path)); },
      fstat(fd) { if (fd < 3) return status("tmp"); return status(open.get(fd)?.name ?? "?"); },
      readdir(path) {
        const at = clean(path) === "." ? "" : clean(path), before = at === "" ? "" : at + "/";
        return [...new Set([...files.keys()].filter((k) => k.startsWith(before)).map((k) => k.slice(before.length).split("/")[0]))];
      },
      mkdir() {}, rmdir() {}, chmod() {}, fchmod() {}, chown() {}, fchown() {}, lchown() {}, utimes() {}, fsync() {},
      unlink(path) { if (!files.delete(clean(path))) throw failure("ENOENT"); },
      rename(from, to) {
        if (!files.has(clean(from))) throw failure("ENOENT");
        files.set(clean(to), files.get(clean(from)));
        files.delete(clean(from));
      },
      truncate(path, n) { files.set(clean(path), files.get(clean(path)).slice(0, n)); },
      ftruncate(fd, n) { const { name } = open.get(fd); files.set(name, files.get(name).slice(0, n)); },
      readlink() { throw failure("EINVAL"); },
      link() { throw failure("ENOSYS"); },
      symlink() { throw failure("ENOSYS"); },
    }),
  };
  self.process = {
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], pid: 1, ppid: 1,
    umask: () => 0, cwd: () => "/", chdir() { throw failure("ENOSYS"); },
  };
})();
