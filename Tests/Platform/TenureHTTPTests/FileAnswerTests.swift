import Foundation
import Glibc
import TenureHTTP
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

    @Test func `an identity is that of one file in one state`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tenure-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let moment = timespec(tv_sec: 0x6600_0000, tv_nsec: 0)
        var identities: Set<OpenFile.Identity> = []
        for bytes in ["0123456789", "9876543210", "987654321"] {
            try Data(bytes.utf8).write(to: URL(filePath: path), options: .atomic)
            try #require(utimensat(AT_FDCWD, path, [moment, moment], 0) == 0)
            let first = try #require(OpenFile(taking: open(path, O_RDONLY | O_CLOEXEC)))
            let second = try #require(OpenFile(taking: open(path, O_RDONLY | O_CLOEXEC)))
            #expect(first.identity == second.identity && first.changedAt == 0x6600_0000)
            #expect(identities.insert(first.identity).inserted)
        }
    }

    @Test func `without conditions the whole is answered`() {
        let response = answer()
        #expect(response.status == 200 && response.body.bytes == Array("0123456789".utf8))
        #expect(response.headers["ETag"] == tag && response.headers["Accept-Ranges"] == "bytes")
        #expect(response.headers["X-Kept"] == "yes" && response.headers["Content-Range"] == nil)
    }

    @Test func `one range is 206 and says where it lies`() {
        let response = answer("GET", ("Range", "bytes=2-4"))
        #expect(response.status == 206 && response.body.bytes == Array("234".utf8))
        #expect(response.headers["Content-Range"] == "bytes 2-4/10")
        #expect(response.headers["ETag"] == tag && response.headers["X-Kept"] == "yes")
    }

    @Test func `a range beyond the end is 416 and says how much there is`() {
        let response = answer("GET", ("Range", "bytes=10-"))
        #expect(response.status == 416 && response.headers["Content-Range"] == "bytes */10")
        #expect(response.body == .bytes([]))
    }

    @Test func `two fields with a range each are several ranges`() {
        #expect(answer("GET", ("Range", "bytes=0-1"), ("Range", "bytes=4-5")).status == 200)
    }

    @Test func `HEAD ignores a range`() {
        let response = answer("HEAD", ("Range", "bytes=2-4"))
        #expect(response.status == 200 && response.headers["Content-Range"] == nil)
    }

    @Test(arguments: [
        (#""66000000-a""#, 206), (#""66000000-b""#, 200), (#"W/"66000000-a""#, 200), ("*", 200),
        ("Mon, 01 Apr 2024 00:00:00 GMT", 200), (#""66000000-a", "66000000-b""#, 200),
    ]) func `a range counts only for the file that If-Range names`(condition: String, status: Int) {
        #expect(answer("GET", ("Range", "bytes=2-4"), ("If-Range", condition)).status == status)
    }

    @Test func `a changed file is not told that a range is beyond its end`() {
        #expect(answer("GET", ("Range", "bytes=20-"), ("If-Range", #""other""#)).status == 200)
    }

    @Test(arguments: ["GET", "HEAD"]) func `what is known is not sent again`(method: String) {
        let response = answer(method, ("If-None-Match", #"W/"66000000-a""#), ("Range", "bytes=2-4"))
        #expect(response.status == 304 && response.body == .file(OpenFile.Part(file)))
        #expect(response.headers["ETag"] == tag && response.headers["X-Kept"] == "yes")
        #expect(answer(method, ("If-None-Match", #""other""#)).status == 200)
    }

    @Test func `what must be another file is 412 before all else`() {
        #expect(answer("GET", ("If-Match", #""other""#), ("If-None-Match", tag)).status == 412)
        #expect(answer("GET", ("If-Match", "W/" + tag)).status == 412)
        #expect(answer("GET", ("If-Match", tag), ("Range", "bytes=2-4")).status == 206)
    }

    @Test func `a folder is no file`() throws {
        let folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(OpenFile(taking: folder) == nil)
        #expect(fcntl(folder, F_GETFD) == -1)
    }
}
