// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The parts of Darwin that Tenure uses, with Darwin's types where they differ from Linux. They do nothing.
//
// Swift can't declare both `struct stat` and the function of that name here. Only the type is used.

public typealias mode_t = UInt16
public typealias uid_t = UInt32
public typealias off_t = Int64

public var errno: Int32 {
    get { 0 }
    set {}
}

public struct stat {
    public var st_mode: mode_t = 0
    public var st_uid: uid_t = 0
    public var st_size: off_t = 0
    public var st_mtimespec = timespec()
    public init() {}
}

public struct DIR {}
public struct dirent {
    public var d_name: (Int8, Int8) = (0, 0)
}

public struct timespec {
    public var tv_sec: Int
    public var tv_nsec: Int
    public init() { (tv_sec, tv_nsec) = (0, 0) }
    public init(tv_sec: Int, tv_nsec: Int) { (self.tv_sec, self.tv_nsec) = (tv_sec, tv_nsec) }
}

public typealias time_t = Int

public struct tm {
    public var (tm_min, tm_hour, tm_mday, tm_mon, tm_year): (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
    public init() {}
}
public func localtime_r(_ time: UnsafePointer<time_t>!, _ parts: UnsafeMutablePointer<tm>!) -> UnsafeMutablePointer<tm>!
{
    neverRun()
}
public func gmtime_r(_ time: UnsafePointer<time_t>!, _ parts: UnsafeMutablePointer<tm>!) -> UnsafeMutablePointer<tm>! {
    neverRun()
}

public struct clockid_t: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public let CLOCK_REALTIME = clockid_t(rawValue: 0)
public let CLOCK_MONOTONIC_RAW = clockid_t(rawValue: 4)
public let CLOCK_MONOTONIC = clockid_t(rawValue: 6)
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 { neverRun() }
public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldLength: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newLength: Int
) -> Int32 { neverRun() }

public let O_RDONLY: Int32 = 0x0000
public let O_WRONLY: Int32 = 0x0001
public let O_RDWR: Int32 = 0x0002
public let O_NONBLOCK: Int32 = 0x0004
public let O_NOFOLLOW: Int32 = 0x0100
public let O_CREAT: Int32 = 0x0200
public let O_TRUNC: Int32 = 0x0400
public let O_EXCL: Int32 = 0x0800
public let O_DIRECTORY: Int32 = 0x0010_0000
public let O_CLOEXEC: Int32 = 0x0100_0000
public let F_FULLFSYNC: Int32 = 51
public let LOCK_EX: Int32 = 2
public let LOCK_NB: Int32 = 4
public let AT_SYMLINK_NOFOLLOW: Int32 = 0x0020
public let S_IFMT: mode_t = 0o170000
public let S_IFREG: mode_t = 0o100000

public let EPERM: Int32 = 1
public let ENOENT: Int32 = 2
public let EINTR: Int32 = 4
public let EIO: Int32 = 5
public let EACCES: Int32 = 13
public let EEXIST: Int32 = 17
public let ENOTDIR: Int32 = 20
public let EINVAL: Int32 = 22
public let ENFILE: Int32 = 23
public let EMFILE: Int32 = 24
public let EFBIG: Int32 = 27
public let ENOSPC: Int32 = 28
public let EROFS: Int32 = 30
public let EWOULDBLOCK: Int32 = 35
public let ELOOP: Int32 = 62
public let EDQUOT: Int32 = 69
public let ENOLCK: Int32 = 77
public let ENOSYS: Int32 = 78
public let EOPNOTSUPP: Int32 = 102

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { neverRun() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { neverRun() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { neverRun() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { neverRun() }
@discardableResult public func close(_ fd: Int32) -> Int32 { neverRun() }
public func read(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int { neverRun() }
public func write(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { neverRun() }
public func fstat(_ fd: Int32, _ facts: UnsafeMutablePointer<stat>!) -> Int32 { neverRun() }
public func fstatat(
    _ fd: Int32, _ path: UnsafePointer<CChar>!, _ facts: UnsafeMutablePointer<stat>!, _ flag: Int32
) -> Int32 { neverRun() }
public func fdopendir(_ fd: Int32) -> UnsafeMutablePointer<DIR>! { neverRun() }
public func readdir(_ folder: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! { neverRun() }
@discardableResult public func closedir(_ folder: UnsafeMutablePointer<DIR>!) -> Int32 { neverRun() }
@discardableResult public func fchmod(_ fd: Int32, _ mode: mode_t) -> Int32 { neverRun() }
public func pread(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t) -> Int {
    neverRun()
}
public func pwrite(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int { neverRun() }
public func ftruncate(_ fd: Int32, _ length: off_t) -> Int32 { neverRun() }
@discardableResult public func fsync(_ fd: Int32) -> Int32 { neverRun() }
public func fcntl(_ fd: Int32, _ command: Int32) -> Int32 { neverRun() }
public func flock(_ fd: Int32, _ operation: Int32) -> Int32 { neverRun() }
@discardableResult public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { neverRun() }
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func unlinkat(_ fd: Int32, _ path: UnsafePointer<CChar>!, _ flag: Int32) -> Int32 {
    neverRun()
}
public func renameat(
    _ fromFd: Int32, _ from: UnsafePointer<CChar>!, _ toFd: Int32, _ to: UnsafePointer<CChar>!
) -> Int32 { neverRun() }
public func geteuid() -> uid_t { neverRun() }
public func strerror(_ number: Int32) -> UnsafeMutablePointer<CChar>! { neverRun() }
@discardableResult public func nanosleep(
    _ time: UnsafePointer<timespec>!, _ left: UnsafeMutablePointer<timespec>!
) -> Int32 { neverRun() }
public func timingsafe_bcmp(_ one: UnsafeRawPointer!, _ other: UnsafeRawPointer!, _ count: Int) -> Int32 {
    neverRun()
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }

public typealias pthread_t = OpaquePointer
public struct pthread_attr_t {}
public struct pthread_mutex_t {}
public struct pthread_mutexattr_t {}
public struct pthread_cond_t {}
public struct pthread_condattr_t {}
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { neverRun() }
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { neverRun() }
@discardableResult public func pthread_mutex_init(
    _ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ attributes: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { neverRun() }
@discardableResult public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
    neverRun()
}
@discardableResult public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
    neverRun()
}
@discardableResult public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
    neverRun()
}
@discardableResult public func pthread_cond_init(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, _ attributes: UnsafePointer<pthread_condattr_t>?
) -> Int32 { neverRun() }
@discardableResult public func pthread_cond_signal(_ condition: UnsafeMutablePointer<pthread_cond_t>) -> Int32 {
    neverRun()
}
@discardableResult public func pthread_cond_broadcast(_ condition: UnsafeMutablePointer<pthread_cond_t>) -> Int32 {
    neverRun()
}
@discardableResult public func pthread_cond_wait(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { neverRun() }
@discardableResult public func pthread_cond_timedwait_relative_np(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    _ time: UnsafePointer<timespec>?
) -> Int32 { neverRun() }
@discardableResult public func pthread_cond_destroy(_ condition: UnsafeMutablePointer<pthread_cond_t>) -> Int32 {
    neverRun()
}
