import Foundation
import Glibc
import TenureHTTP
import TenureServerKit
import Testing

@Suite struct FileAnswerTests {
    let file: OpenFile
    let tag = #""66000000-a""#

    /// A file of the ten bytes `0123456789`.
    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tenure-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        try #require(write(descriptor, "0123456789", 10) == 10)
        file = try #require(OpenFile(taking: descriptor))
    }

    func answer(_ method: String = "GET", _ fields: (String, String)...) -> Response {
        var headers = Headers()
        for (name, value) in fields { headers.add(name, value) }
        return .file(
            file, tag: tag, for: Request(method: method, path: "/", headers: headers), headers: ["X-Kept": "yes"])
    }

    @Test func `a replaced file has a new identity, even if its modification time is the same`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tenure-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let time = timespec(tv_sec: 0x6600_0000, tv_nsec: 0)
        var identities: Set<OpenFile.Identity> = []
        for bytes in ["0123456789", "9876543210", "987654321"] {
            try Data(bytes.utf8).write(to: URL(filePath: path), options: .atomic)
            try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
            let first = try #require(OpenFile(taking: open(path, O_RDONLY | O_CLOEXEC)))
            let second = try #require(OpenFile(taking: open(path, O_RDONLY | O_CLOEXEC)))
            #expect(first.identity == second.identity && first.changedAt == 0x6600_0000)
            #expect(identities.insert(first.identity).inserted)
        }
    }

    @Test func `a request without conditions gets the whole file`() {
        let response = answer()
        #expect(response.status == 200 && response.body.bytes == Array("0123456789".utf8))
        #expect(response.headers["ETag"] == tag && response.headers["Accept-Ranges"] == "bytes")
        #expect(response.headers["X-Kept"] == "yes" && response.headers["Content-Range"] == nil)
    }

    @Test func `a request for one range gets 206 with the range's bounds`() {
        let response = answer("GET", ("Range", "bytes=2-4"))
        #expect(response.status == 206 && response.body.bytes == Array("234".utf8))
        #expect(response.headers["Content-Range"] == "bytes 2-4/10")
        #expect(response.headers["ETag"] == tag && response.headers["X-Kept"] == "yes")
    }

    @Test func `a range beyond the file's end gets 416 with the file's size`() {
        let response = answer("GET", ("Range", "bytes=10-"))
        #expect(response.status == 416 && response.headers["Content-Range"] == "bytes */10")
        #expect(response.body == .bytes([]))
    }

    @Test func `a request with two Range fields gets the whole file`() {
        #expect(answer("GET", ("Range", "bytes=0-1"), ("Range", "bytes=4-5")).status == 200)
    }

    @Test func `the Range field of a HEAD request is ignored`() {
        let response = answer("HEAD", ("Range", "bytes=2-4"))
        #expect(response.status == 200 && response.headers["Content-Range"] == nil)
    }

    @Test(arguments: [
        (#""66000000-a""#, 206), (#""66000000-b""#, 200), (#"W/"66000000-a""#, 200), ("*", 200),
        ("Mon, 01 Apr 2024 00:00:00 GMT", 200), (#""66000000-a", "66000000-b""#, 200),
    ]) func `a range request with If-Range gets 206 only if that field is the file's strong entity tag`(
        condition: String, status: Int
    ) {
        #expect(answer("GET", ("Range", "bytes=2-4"), ("If-Range", condition)).status == status)
    }

    @Test func `an If-Range mismatch gets the whole file, even for a range beyond its end`() {
        #expect(answer("GET", ("Range", "bytes=20-"), ("If-Range", #""other""#)).status == 200)
    }

    @Test(arguments: ["GET", "HEAD"]) func `a request whose If-None-Match has the file's entity tag gets 304`(
        method: String
    ) {
        let response = answer(method, ("If-None-Match", #"W/"66000000-a""#), ("Range", "bytes=2-4"))
        #expect(response.status == 304 && response.body == .file(file.part()))
        #expect(response.headers["ETag"] == tag && response.headers["X-Kept"] == "yes")
        #expect(answer(method, ("If-None-Match", #""other""#)).status == 200)
    }

    @Test func `a failed If-Match precondition gets 412, even if If-None-Match matches`() {
        #expect(answer("GET", ("If-Match", #""other""#), ("If-None-Match", tag)).status == 412)
        #expect(answer("GET", ("If-Match", "W/" + tag)).status == 412)
        #expect(answer("GET", ("If-Match", tag), ("Range", "bytes=2-4")).status == 206)
    }

    @Test func `a folder can't be opened as a served file, and its descriptor is closed`() throws {
        let folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(OpenFile(taking: folder) == nil)
        #expect(fcntl(folder, F_GETFD) == -1)
    }
}
