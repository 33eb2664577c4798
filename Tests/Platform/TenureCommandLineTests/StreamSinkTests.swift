import Foundation
import TenureCommandLine
import TestProcesses
import Testing

struct StreamSinkTests {
    @Test func `an output stream reports the error of a failed write`() throws {
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        defer { try? full.close() }
        let sink = StreamSink(full.fileDescriptor, endsWhenClosed: true)
        #expect(sink.problem == nil)
        sink.write("lost")
        #expect(sink.problem == "No space left on device")
        #expect(!sink.isTerminal)
        #expect(sink.columns == 80)
    }

    @Test func `a text longer than a pipe's buffer is written completely`() throws {
        let pipe = Pipe()
        let text = String(repeating: "ü", count: 200_000)
        let writer = Thread {
            StreamSink(pipe.fileHandleForWriting.fileDescriptor, endsWhenClosed: false).write(text)
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        #expect(try readAll(of: pipe.fileHandleForReading.fileDescriptor) == Array(text.utf8))
    }
}
