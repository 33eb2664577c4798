import TenureFiles
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct FileDescriptorTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(arguments: [0, 1, 65_536, 65_537, 200_000])
    func `a read returns bytes up to its limit or the file's end, and the next read continues there`(
        length: Int
    ) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try folder.write(bytes, to: "file")
        for limit in [0, 1, 65_536, length, length + 1, .max] {
            let file = try FileDescriptor(opening: folder.path("file"), O_RDONLY)
            #expect(try file.read(upTo: limit) == Array(bytes.prefix(limit)))
            #expect(try file.read(upTo: limit) == Array(bytes.dropFirst(min(limit, length)).prefix(limit)))
        }
    }

    @Test(arguments: [(0, 4, [0, 1, 2, 3]), (3, 2, [3, 4]), (3, 9, [3, 4]), (5, 1, []), (9, 1, []), (2, 0, [])])
    func `a read at an offset returns the requested bytes up to the file's end`(
        offset: Int, count: Int, expected: [UInt8]
    ) throws {
        try folder.write([0, 1, 2, 3, 4], to: "file")
        let file = try FileDescriptor(opening: folder.path("file"), O_RDONLY)
        #expect(try file.read(at: offset, count: count) == expected)
    }

    @Test func `writes continue at the file's position, or begin at an offset`() throws {
        let file = try FileDescriptor(opening: folder.path("file"), O_RDWR | O_CREAT, mode: 0o600)
        try file.write([1, 2, 3])
        try file.write([4, 5])
        try file.write([9], at: 1)
        try file.write([7], at: 6)
        #expect(folder.bytes(of: "file") == [1, 9, 3, 4, 5, 0, 7])
    }

    #if !canImport(Darwin)
        @Test func `a write to a full disk is an error`() throws {
            let file = try FileDescriptor(opening: "/dev/full", O_WRONLY)
            #expect(throws: Errno(ENOSPC)) { try file.write([1]) }
            #expect(Errno(ENOSPC).description == "No space left on device")
        }
    #endif

    @Test func `a file can be opened in a folder that has been renamed, but not through a link with O_NOFOLLOW`() throws
    {
        try #require(mkdir(folder.path("one"), 0o700) == 0)
        try folder.write([1], to: "one/file")
        let opened = try FileDescriptor(opening: folder.path("one"), O_RDONLY | O_DIRECTORY)
        try #require(rename(folder.path("one"), folder.path("two")) == 0)
        #expect(try FileDescriptor(opening: "file", in: opened, O_RDONLY).read() == [1])
        try #require(symlink("file", folder.path("two/link")) == 0)
        #expect(throws: Errno(ELOOP)) { try FileDescriptor(opening: "link", in: opened, O_RDONLY | O_NOFOLLOW) }
        #expect(throws: Errno(ENOENT)) { try FileDescriptor(opening: "none", in: opened, O_RDONLY) }
    }

    @Test func `a file lock is held until its descriptor is closed`() throws {
        let path = folder.path("lock")
        var first: FileDescriptor? = try FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600)
        let second = try FileDescriptor(opening: path, O_RDWR)
        #expect(first?.tryLock() == .acquired)
        #expect(second.tryLock() == .busy)
        first = nil
        #expect(second.tryLock() == .acquired)
    }

    @Test func `an opened descriptor has the flag FD_CLOEXEC, so that child processes don't inherit it`() throws {
        let file = try FileDescriptor(opening: "/dev/null", O_RDONLY)
        #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
