import Foundation
import GoldenFiles
import TenureClient
import TenureContent
import TenureContentClient
import TenureCore
import Testing

#if os(Linux)
    import TestProcesses
#endif

@MainActor @Suite struct ContentStorageTests {
    @Test func `Kollus's storage interface renews licenses, informs its delegate and lists expired content`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...4) {
            $0.grantedPlays = 1
            $0.expiresAfterDays = 30
            $0.resumeWithinSeconds = 0
        }
        let storage = ContentStorage(library)
        let listener = Listener()
        storage.delegate = listener
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        tablet.clock.pass(60)
        tablet.server.with { server in
            guard let revoked = server.license("mia", Given.content(2)) else { return }
            server.stop(revoked.id, .revoked, at: Given.now)
        }
        await storage.start()
        let expired = { storage.contents().filter(isExpired).map(\.mediaContentKey) }
        #expect(expired() == ["mck-1"])
        storage.updateDownloadDRMInfo(false)
        await storage.finishUpdates()
        #expect(expired().isEmpty)
        #expect(listener.counted == [1])
        storage.updateDownloadDRMInfo(true)
        await storage.finishUpdates()
        #expect(listener.counted == [1, 1, 2, 3, 4])
        #expect(listener.errors.map { ($0 as? ContentRenewalError)?.code } == ["content_license_revoked"])
        let keys = listener.requests.map { $0["media_content_key"] as? String }
        #expect(keys == ["mck-1", "mck-1", "mck-2", "mck-3", "mck-4"])
        #expect(listener.answers.map { $0?["media_content_key"] as? String } == keys)
        #expect(listener.answers.map { $0?["result"] as? Int } == [1, 1, 0, 1, 1])
        #expect(listener.answers.map { $0?["content_expired"] as? Int } == [nil, nil, 1, nil, nil])
        #expect(expired() == ["mck-2"])
        tablet.clock.pass(31 * 86_400)
        await storage.start()
        #expect(expired().count == 4, "the flag reports the date that the three tests leave out")
        #expect(storage.setBackgroundDownload(true).contains("not renewed"))
    }

    @Test func `an app's content object shows the library's current values at each read`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2) {
            $0.grantedPlays = 1
            $0.grantedPlaySeconds = 600
            $0.expiresAfterDays = 30
            $0.resumeWithinSeconds = 0
        }
        let storage = ContentStorage(library)
        let lesson = try #require(storage.contents().first)
        #expect(storage.contents().count == 2 && lesson.mediaContentKey == "mck-1" && !isExpired(lesson))
        let playback = try await library.playing(1)
        await playback.shown()
        #expect(await PlaybackTests.play(playback, tablet, seconds: 20) == 20)
        #expect(lesson.DRMExpirePlayTime == 580)
        #expect(!isExpired(lesson), "the play may continue")
        await playback.end()
        tablet.clock.pass(60)
        #expect(isExpired(lesson) && lesson.DRMExpireCount == 0)
        // The library renews the license directly, not through the storage.
        _ = await library.renewal(.all)
        #expect(!isExpired(lesson) && lesson.DRMExpireCount == 1)
        let end = lesson.DRMExpireDate
        tablet.clock.pass(31 * 86_400)
        #expect(lesson.DRMExpired, "the date has passed without any call")
        #expect(lesson.DRMExpireDate == end)
        #expect(storage.contents().first === lesson)
        // Added and removed items are visible too.
        tablet.server.with { _ = $0.enrol("mia", Given.content(3), at: tablet.clock.truth) { $0.expiresAfterDays = 9 } }
        #expect(await library.add("mck-3") == .done)
        #expect(storage.contents().map(\.mediaContentKey) == ["mck-1", "mck-2", "mck-3"])
        #expect(await library.return("mck-1") == .done)
        #expect(storage.contents().map(\.mediaContentKey) == ["mck-2", "mck-3"])
        #expect(lesson.DRMExpired, "a returned item doesn't play")
    }

    /// Returns whether content has expired by the three conditions that apps for Kollus check.
    private func isExpired(_ content: StoredContent) -> Bool {
        content.DRMExpired || (content.drmTotalExpirePlayTime > 0 && content.DRMExpirePlayTime <= 0)
            || (content.drmExpireCountMax > 0 && content.drmExpireCount <= 0)
    }

    #if os(Linux)
        /// How the sample code declares its class and the conformance to the delegate's protocol.
        enum Kind: CaseIterable, Sendable { case mainActor, plain, conformingInExtension }

        @Test(arguments: Kind.allCases, [["5"], ["6"], ["6", "-default-isolation", "MainActor"]])
        func `sample code for Kollus's storage interface compiles in Swift 5 and 6 with each kind of class declaration`(
            _ kind: Kind, _ mode: [String]
        ) throws {
            let root = URL.packageRoot.path
            let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
            let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "SampleApp.swift")
            let sample = try String(
                contentsOfFile: "\(root)/Tests/Fixtures/sample-player/SampleApp.swift", encoding: .utf8)
            try Self.written(sample, as: kind).write(to: file, atomically: true, encoding: .utf8)
            // Compiles as far as the concurrency checks, which type checking alone leaves out.
            let words =
                ["-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version"] + mode
                + ["-I", modules.path]
                + ["CSodium", "CCrypto", "CCurl"].flatMap { ["-I", "\(root)/Sources/Platform/\($0)"] }
                + [file.path]
            let compiler = try ChildProcess.run(["sh", "-c", "exec swiftc \"$@\" 2>&1", "sh"] + words)
            #expect(compiler.exit == .code(0), "\(compiler.output)")
        }

        /// Returns the sample with its class declared as `kind` says.
        private static func written(_ sample: String, as kind: Kind) -> String {
            let plain = sample.replacing("@MainActor\n", with: "")
            switch kind {
            case .mainActor: return sample
            case .plain: return plain
            case .conformingInExtension:
                let callbacks = "func kollusStorage("
                return plain.replacing("final class SampleApp: KollusStorageDelegate", with: "final class SampleApp")
                    .replacing(
                        callbacks, with: "}\nextension SampleApp: KollusStorageDelegate {\n" + callbacks,
                        maxReplacements: 1
                    )
            }
        }
    #endif

    @Test func `a renewal of 40 items renews all of them before the first callback, with at most 240 checks of media`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...40) {
            $0.grantedPlays = 1
            $0.resumeWithinSeconds = 0
        }
        for number in 1...40 {
            try await library.tell(media: MediaFile(content: "mck-\(number)", path: "/film"))
            let playback = try await library.playing(number)
            await playback.shown()
            await playback.end()
        }
        tablet.clock.pass(60)
        let storage = ContentStorage(library)
        let app = Listener()
        storage.delegate = app
        await storage.start()
        let before = tablet.checked.all.count
        app.received = { storage.contents().count { $0.DRMExpireCount > 0 } }
        storage.updateDownloadDRMInfo(true)
        await storage.finishUpdates()
        // 40 items are one chunk, which is applied before progress on the first is reported.
        #expect(app.left == Array(repeating: 40, count: 40))
        #expect(tablet.checked.all.count - before <= 40 * 6)
    }

    @Test func `a renewal error's message is one of the recovery messages`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.expiresAfterDays = 1 }
        tablet.clock.pass(2 * 86_400)
        tablet.server.set(.noNetwork)
        let storage = ContentStorage(library)
        let app = Listener()
        storage.delegate = app
        storage.updateDownloadDRMInfo(false)
        await storage.finishUpdates()
        let error = try #require(app.errors.first as? ContentRenewalError)
        #expect(error.recovery == .retry)
        #expect(RecoveryOption.allCases.map { $0.message() }.contains(error.errorDescription ?? ""))
        #expect(app.requests.first?["media_content_key"] as? String == "mck-1")
    }
}

@MainActor private final class Listener: ContentStorageDelegate {
    var errors: [any Error] = []
    var counted: [Int32] = []
    var received: (() -> Int)?
    var left: [Int] = []
    var requests: [[AnyHashable: Any]] = []
    var answers: [[AnyHashable: Any]?] = []

    func kollusStorage(
        _ storage: ContentStorage, request: [AnyHashable: Any], json: [AnyHashable: Any]?, error: (any Error)?
    ) {
        requests.append(request)
        answers.append(json)
    }

    func kollusStorage(_ storage: ContentStorage, cur: Int32, count: Int32, error: (any Error)?) {
        counted.append(cur)
        if let received { left.append(received()) }
        if let error { errors.append(error) }
    }
}
