import Foundation
import Glibc
import Synchronization
import TenureClient
import TenureContentClient
import TenureCore
import TenureCrypto

/// Measures a library of many items on the local disk without a network: opening, status, renewal and playback.
///
/// Each cost is printed with the cost of the unavoidable work.
@main
struct ContentClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else {
            FileHandle.standardError.write(
                Data("usage: bench-content-client fill|open|memory|renew|beat FOLDER COUNT\n".utf8))
            exit(2)
        }
        let tablet = try BenchTablet(folder: arguments[2])
        switch arguments[1] {
        case "fill": try tablet.fill(count)
        case "open": try await open(tablet)
        case "memory": try await memory(tablet)
        case "renew": try await renew(tablet, count)
        case "beat": try await beat(tablet)
        default: exit(2)
        }
    }

    /// Measures opening, in milliseconds of CPU time, against only reading and decrypting the same amount. Then
    /// measures the status of all items.
    ///
    /// CPU time is the only reliable measure on a busy host.
    private static func open(_ tablet: BenchTablet) async throws {
        let floor = try SealedFile(like: tablet.path)
        var (opened, read, status) = ([Double](), [Double](), [Double]())
        var count = 0
        for _ in 0..<7 {
            let start = processMillis()
            count = try floor.read()
            let before = processMillis()
            let library = try tablet.library()
            let after = processMillis()
            count += await library.contents().count
            read.append(before - start)
            opened.append(after - before)
            status.append(processMillis() - after)
        }
        print(
            """
            {"open": \(median(opened)), "read": \(median(read)), "status": \(median(status)), "counted": \(count)}
            """)
    }

    /// Measures the process's private memory after opening, in kilobytes.
    private static func memory(_ tablet: BenchTablet) async throws {
        let library = try tablet.library()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        let kilobytes = Int(line.split(separator: " ").dropLast().last ?? "") ?? 0
        print("{\"kilobytes\": \(kilobytes), \"contents\": \(await library.contents().count)}")
    }

    /// Measures renewing everything against one verification per item and the same appends and syncs, in microseconds
    /// per item.
    private static func renew(_ tablet: BenchTablet, _ count: Int) async throws {
        let order = try await { try await tablet.library().forecast(.all).requested }()
        let time = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let server = try ReadyServer(tablet, renewing: order.compactMap { Int($0.dropFirst(7)) }, at: time)
        let sizes = WrittenSizes()
        let library = try tablet.library(over: server, writing: sizes)
        let (start, cpu) = (now(), processMillis())
        let report = await library.renewed(.all)
        let (result, used) = (now() - start, processMillis() - cpu)
        guard report.count(.renewed) == count else { throw BenchFailure("\(report.count(.renewed)) were renewed") }
        let message = [UInt8](repeating: UInt8(ascii: "x"), count: 930)
        let signature = tablet.key.sign(message)
        let publicKey = tablet.key.publicKey
        var valid = 0
        let verifying = timed {
            for _ in 0..<count where publicKey.isValidSignature(signature, for: message) { valid += 1 }
        }
        guard valid == count else { throw BenchFailure("a signature does not verify") }
        let appending = try appended(sizes.all, "\(tablet.folder)/floor").reduce(0, +)
        let each = 1_000 / Double(count)
        print(
            """
            {"renewal": \(result * each), "cpu": \(used * each), "verification": \(verifying * each), \
            "append": \(appending * each), "appends": \(sizes.all.count)}
            """)
    }

    /// Measures a periodic playback report against an append of as many bytes with a sync, in microseconds.
    private static func beat(_ tablet: BenchTablet) async throws {
        let clock = Passed()
        let sizes = WrittenSizes()
        let library = try tablet.library(writing: sizes, millis: { clock.millis })
        guard case .plays(let playback) = await library.play("lesson-1") else { throw BenchFailure("it does not play") }
        await playback.shown()
        var (beats, bare) = ([Double](), [Double]())
        for _ in 0..<400 {
            clock.pass(5_000)
            let before = sizes.all.count
            let start = now()
            await playback.rendered(seconds: 5)
            beats.append(now() - start)
            guard sizes.all.count == before + 1, let size = sizes.all.last else {
                throw BenchFailure("a beat was not written")
            }
            bare += try appended([size], "\(tablet.folder)/floor")
        }
        await playback.end()
        print("{\"beat\": \(median(beats) * 1_000), \"append\": \(median(bare) * 1_000)}")
    }

    /// Returns how many milliseconds each append of the given sizes took, including its sync.
    private static func appended(_ sizes: [Int], _ path: String) throws -> [Double] {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw BenchFailure("cannot write \(path)") }
        defer { close(file) }
        return try sizes.map { size in
            let bytes = [UInt8](repeating: 1, count: size)
            return try timed {
                guard write(file, bytes, size) == size, fsync(file) == 0 else { throw BenchFailure("the disk is full") }
            }
        }
    }

    static func now() -> Double { Double(clock_gettime_nsec(CLOCK_MONOTONIC)) / 1e6 }

    private static func processMillis() -> Double { Double(clock_gettime_nsec(CLOCK_PROCESS_CPUTIME_ID)) / 1e6 }

    private static func clock_gettime_nsec(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func timed<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now()
        try body()
        return now() - start
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Simulated time in milliseconds.
private final class Passed: Sendable {
    private let count = Mutex<Int64>(0)

    var millis: Int64 { count.withLock { $0 } }

    func pass(_ millis: Int64) { count.withLock { $0 += millis } }
}

/// A file with frames as long as a ledger's, encrypted with its own key.
struct SealedFile {
    private let path: String
    private let cipher: AES256GCM
    private static let header = 88

    init(like ledger: String) throws {
        path = ledger + ".floor"
        cipher = try AES256GCM(key: [UInt8](repeating: 3, count: AES256GCM.keyLength))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: ledger)))
        var copy = Array(bytes[..<Self.header])
        var offset = Self.header
        while let length = Self.length(bytes, at: offset) {
            let sealed = try cipher.seal(
                [UInt8](repeating: 5, count: length - AES256GCM.overhead),
                authenticating: [UInt8](repeating: 0, count: 8))
            copy += bytes[offset..<offset + 4] + sealed
            offset += 4 + length
        }
        try Data(copy).write(to: URL(filePath: path))
    }

    /// Reads and decrypts the whole file. Returns the number of bytes.
    func read() throws -> Int {
        let file = Glibc.open(path, O_RDONLY)
        guard file >= 0 else { throw BenchFailure("cannot read \(path)") }
        defer { close(file) }
        let size = lseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: size)
        guard pread(file, &bytes, size, 0) == size else { throw BenchFailure("cannot read \(path)") }
        var (offset, count) = (Self.header, 0)
        while let length = Self.length(bytes, at: offset) {
            let opened = try cipher.open(
                Array(bytes[offset + 4..<offset + 4 + length]), authenticating: [UInt8](repeating: 0, count: 8))
            count += opened.count
            offset += 4 + length
        }
        return count
    }

    private static func length(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}
