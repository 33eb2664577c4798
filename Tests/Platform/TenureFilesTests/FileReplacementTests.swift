import TenureFiles
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct FileReplacementTests {
    private let folder: TestFolder
    private let opened: FileDescriptor

    init() throws {
        folder = try TestFolder()
        opened = try FileDescriptor(opening: folder.path, O_RDONLY | O_DIRECTORY)
    }

    @Test func `a file is created and replaced, and only its owner may read it`() throws {
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 7, count: 300_000), [4]] as [[UInt8]] {
            try FileReplacement.replace("file", in: folder.path, by: bytes, temporary: "file.new")
            #expect(folder.bytes(of: "file") == bytes)
            #expect(folder.mode(of: "file") == 0o600)
            #expect(try folder.names == ["file"])
        }
    }

    @Test func `a temporary file that a killed process left behind is replaced`() throws {
        try folder.write([9, 9, 9, 9], to: "file.new")
        try opened.replace("file", by: [1], temporary: "file.new")
        #expect(folder.bytes(of: "file") == [1])
        #expect(try folder.names == ["file"])
    }

    @Test func `a symbolic link is replaced, and its target stays unchanged`() throws {
        try folder.write([1], to: "target")
        for name in ["file", "file.new"] { try #require(symlink("target", folder.path(name)) == 0) }
        try opened.replace("file", by: [2], temporary: "file.new")
        #expect(folder.bytes(of: "target") == [1])
        #expect(folder.bytes(of: "file") == [2])
        #expect(try folder.names == ["file", "target"])
    }

    @Test func `a failed replacement leaves no temporary file`() throws {
        try #require(mkdir(folder.path("file"), 0o700) == 0)
        #expect(throws: FileReplacement.Failure.notWritten(Errno(EISDIR))) {
            try opened.replace("file", by: [1], temporary: "file.new")
        }
        #expect(try folder.names == ["file"])
    }

    @Test func `a missing folder is reported as a file that can't be created`() {
        #expect(throws: FileReplacement.Failure.notCreated(Errno(ENOENT))) {
            try FileReplacement.replace("file", in: folder.path("none"), by: [1], temporary: "file.new")
        }
    }

    #if !canImport(Darwin)
        @Test func `a replacement that fails at a file size limit keeps the file's old bytes`() async throws {
            try folder.write([1], to: "file")
            let path = folder.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                signal(SIGXFSZ, SIG_IGN)
                // RLIMIT_FSIZE has the value 1.
                var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
                try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
                #expect(throws: FileReplacement.Failure.notWritten(Errno(EFBIG))) {
                    try FileReplacement.replace(
                        "file", in: path, by: [UInt8](repeating: 7, count: 9000), temporary: "file.new")
                }
            }
            #expect(folder.bytes(of: "file") == [1])
            #expect(try folder.names == ["file"])
        }
    #endif

    @Test func `a process killed while it replaces a file leaves the old bytes or the new ones`() async throws {
        for step in FileReplacement.Step.allCases {
            try folder.write([1], to: "file")
            let (path, isWritten) = (folder.path, step == .written)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, isWritten = isWritten as Bool] in
                let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
                try folder.replace("file", by: [2], temporary: "file.new") {
                    if $0 == (isWritten ? .written : .renamed) { kill(getpid(), SIGKILL) }
                }
            }
            #expect(folder.bytes(of: "file") == (isWritten ? [1] : [2]))
        }
    }
}
