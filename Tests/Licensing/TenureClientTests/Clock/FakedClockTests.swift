#if os(Linux)
    import Foundation
    import TestProcesses
    import Testing

    /// A separate program whose wall clock is set by libfaketime.
    @Suite(.serialized) struct FakedClockTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            #expect(try launch(["LAUNCH_TRIAL": "1"]) == "trial(daysLeft: 14) trial_running")
        }

        @Test(arguments: ["-0", "-59m", "+59m", "+1d", "+13d", "+80y"])
        func `setting the clock forward, or back by less than an hour, doesn't change a running trial`(
            offset: String
        ) throws {
            #expect(try launch(fake(offset)) == "trial(daysLeft: 14) trial_running")
            #expect(try launch([:]) == "trial(daysLeft: 14) trial_running")
        }

        @Test(arguments: ["-61m", "-1d", "-20y"])
        func `a clock set back by more than an hour makes the state invalid until it's corrected`(
            offset: String
        ) throws {
            #expect(try launch(fake(offset)) == "invalid clock_set_back")
            #expect(try launch([:]) == "trial(daysLeft: 14) trial_running")
        }

        @Test func `a program that exits while the client's threads run doesn't crash`() throws {
            for _ in 0..<100 { #expect(try launch([:]) == "trial(daysLeft: 14) trial_running") }
        }

        @Test(arguments: ["Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin"])
        func `another time zone doesn't change a running trial`(
            zone: String
        ) throws {
            #expect(try launch(["TZ": zone]) == "trial(daysLeft: 14) trial_running")
        }

        private func fake(_ offset: String) throws -> [String: String] {
            let libraries = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map {
                "/usr/lib/\($0)/faketime/libfaketime.so.1"
            }
            let library = try #require(
                libraries.first(where: FileManager.default.fileExists(atPath:)), "Scripts/setup installs libfaketime")
            // Without the last variable, uptime would be faked too, and the program couldn't detect a wrong clock.
            return ["LD_PRELOAD": library, "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"]
        }

        private func launch(_ environment: [String: String]) throws -> String {
            let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            let launch = try ChildProcess.run(
                [here.appending(path: "launch-check").path],
                environment: environment.merging(["LAUNCH_FOLDER": folder.path, "HOME": folder.path]) { own, _ in own })
            if launch.exit != .code(0) { return "crashed with \(launch.exit)" }
            return launch.output.trimmingCharacters(in: .newlines)
        }
    }
#endif
