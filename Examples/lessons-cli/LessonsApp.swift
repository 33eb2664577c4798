import Foundation
import TenureClient
import TenureContentClient

/// Offline lessons in a terminal. See ``usage``.
@main
@MainActor
struct LessonsApp {
    private let library: ContentLibrary
    private let language: ContentLanguage

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            let text = (error as? Complaint)?.text ?? (error as? ContentError)?.message ?? "\(error)"
            FileHandle.standardError.write(Data((text + "\n").utf8))
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        guard let verb = words.first, verb != "--help", verb != "help" else { return print(usage) }
        let settings = try Settings(ProcessInfo.processInfo.environment)
        // The school's server makes a token for this device, so it needs the device's id.
        if verb == "device" { return print(try ContentLibrary.device(settings.contents)) }
        let library = try ContentLibrary.open(settings.contents, holder: settings.learner)
        if verb == "sign-in" {
            guard let token = settings.token else { throw Complaint("Set LESSONS_TOKEN to what the school gave you.") }
            try await library.signIn(token: token)
            return print("\(settings.learner) is signed in.")
        }
        // If the school requires it, asks the learner before lessons are renewed, once for all of them.
        await library.askBeforeRenewing { lessons in
            Self.agrees("Renew \(lessons.map(\.title).joined(separator: ", "))?")
        }
        try await LessonsApp(library: library, language: settings.language).perform(verb, Array(words.dropFirst()))
    }

    private func perform(_ verb: String, _ words: [String]) async throws {
        switch (verb, words.count) {
        case ("list", 0): await list()
        case ("keep", 1): try await keep(words[0])
        case ("watch", 2): try await watch(words[0], seconds: Int(words[1]) ?? 0)
        case ("renew", 0): try await renew()
        case ("flight", 1): try await flight(until: words[0])
        default: throw Complaint("Lessons does not know that.\n\n" + Self.usage)
        }
    }

    /// Lists available and stored lessons, with the reason if one doesn't play. A list that was fetched once works
    /// offline too.
    private func list() async {
        _ = await library.refresh()
        for lesson in await library.contents() {
            let left = lesson.playsLeft.map { ", \($0) plays left" } ?? ""
            let until = lesson.playableUntil.map { " until \(Self.written($0))" } ?? ""
            print("\(lesson.id)  \(lesson.title): \(lesson.status.rawValue)\(until)\(left)")
            if let why = lesson.explanation ?? lesson.lastNo { print("  \(why.message)") }
        }
    }

    private func keep(_ name: String) async throws {
        switch await library.add(name) {
        case .done: print("\(name) is kept.")
        case .refused(let why, let option): throw complaint(why, option)
        case .unreached(let why): throw Complaint(why.message)
        }
    }

    /// Plays a lesson as fast as it can be reported. A real app would report once a second how much its player has
    /// rendered.
    private func watch(_ name: String, seconds: Int, confirmed: Bool = false) async throws {
        switch await library.play(name, confirmed: confirmed) {
        case .asks(let why):
            guard Self.agrees("\(why.message) Renew it?") else { throw Complaint("It was not renewed.") }
            try await watch(name, seconds: seconds, confirmed: true)
        case .refused(let why, let option): throw complaint(why, option)
        case .plays(let playback):
            var watched = 0
            while watched < seconds {
                if case .stops(let why) = await playback.rendered(seconds: 1) {
                    await playback.end()
                    throw Complaint("Watched \(watched) s. \(why.message)")
                }
                watched += 1
            }
            await playback.end()
            print("Watched \(watched) s.")
        }
    }

    /// Renews all stored lessons and prints the result for each.
    private func renew() async throws {
        var isWhole = true
        for await event in library.renew(.all) {
            guard case .progress(let item) = event else { continue }
            print("\(item.index + 1) of \(item.total)  \(item.content): \(item.outcome.rawValue)")
            guard let why = item.explanation else { continue }
            isWhole = false
            print("  \(why.message)" + item.choices.map { " [\($0.label(in: language))]" }.joined())
        }
        if !isWhole { throw Complaint("Not everything was renewed.") }
    }

    /// Prints which items expire before a flight ends.
    private func flight(until text: String) async throws {
        guard let back = try? Date(text, strategy: .iso8601) else {
            throw Complaint("Write a moment, as 2027-01-31T12:00:00Z.")
        }
        let lapses = await library.lapses(before: back)
        if lapses.isEmpty { return print("Everything that is kept plays until then.") }
        for lapse in lapses { print("\(lapse.content): \(Self.written(lapse.at)). \(lapse.explanation.message)") }
    }

    private func complaint(_ why: Explanation, _ option: RecoveryOption) -> Complaint {
        let buttons = option.choices.map { "[\($0.label(in: language))]" }.joined(separator: " ")
        let notes = option.choices.filter { !$0.helps }.map { "\($0.label(in: language)): \($0.message(in: language))" }
        return Complaint(([why.message, "\(option.message(in: language)) \(buttons)"] + notes).joined(separator: "\n"))
    }

    private nonisolated static func agrees(_ question: String) -> Bool {
        FileHandle.standardOutput.write(Data("\(question) [y/N] ".utf8))
        return readLine()?.lowercased() == "y"
    }

    private static func written(_ date: Date) -> String { date.ISO8601Format() }

    private static let usage = """
        Keeps lessons offline.

          lessons device            what this device is called, for the school to make a token
          lessons sign-in           takes the token that LESSONS_TOKEN holds
          lessons list              what may be kept, what is, and why something does not play
          lessons keep NAME         keeps a lesson
          lessons watch NAME N      watches N seconds of it
          lessons renew             renews all that is kept
          lessons flight MOMENT     what would stop by then without a network

        LESSONS_SERVER, LESSONS_SCHOOL and LESSONS_LEARNER say where, whose and who; LESSONS_HOME is a folder.
        """
}
