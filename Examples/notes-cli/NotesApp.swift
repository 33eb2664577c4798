import TenureClient

// On Linux, Foundation would add ICU to the program, 40 MB that it doesn't use.
#if canImport(FoundationEssentials)
    import FoundationEssentials
    import Glibc
#else
    import Foundation
#endif

/// Notes of one line each. See ``usage``.
@main
@MainActor
struct NotesApp {
    private let file: NotesFile
    private let manager: LicenseManager
    private let rights: Rights

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard let verb = words.first, verb != "--help", verb != "help" else { return print(usage) }
        do throws(Complaint) {
            let app = try NotesApp(try Settings(ProcessInfo.processInfo.environment))
            await app.run(verb, Array(words.dropFirst()))
        } catch {
            tell(error)
            exit(1)
        }
    }

    private func run(_ verb: String, _ words: [String]) async {
        // The `check` command always sends a request, so no other one is needed first.
        let question = verb == "check" ? nil : await look(before: verb)
        var status: Int32 = 0
        do throws(Complaint) {
            try await perform(verb, words)
        } catch {
            Self.tell(error)
            status = 1
        }
        // The program's end would cancel a background request, so this waits for it. The person already has the output.
        await question?.value
        exit(status)
    }

    private static func tell(_ complaint: Complaint) {
        _ = "\(complaint.text)\n".withCString { text in write(STDERR_FILENO, text, strlen(text)) }
    }

    /// Decides the state from stored data, and checks with the server at most once in six hours.
    ///
    /// Before a change or an export, it checks at most once in five minutes, so that a suspended license is noticed
    /// while it is used. These commands and `status` wait for the response, but for at most two seconds.
    private func look(before verb: String) async -> Task<Void, Never> {
        await manager.checkOnLaunch()
        let acts = ["add", "edit", "export"].contains(verb)
        let question = Task { await manager.refreshIfNeeded(olderThan: .seconds(acts ? 300 : 6 * 3_600)) }
        if acts || verb == "status" { await first(of: question, or: .seconds(2)) }
        return question
    }

    private func first(of question: Task<Void, Never>, or timeout: Duration) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let timer = Task {
            try? await Task.sleep(for: timeout)
            end.yield()
        }
        Task {
            await question.value
            end.yield()
            timer.cancel()
        }
        for await _ in ends { return }
    }

    private init(_ settings: Settings) throws(Complaint) {
        file = NotesFile(folder: settings.folder)
        do throws(LicenseError) {
            manager = try LicenseManager(settings.license)
        } catch {
            throw Complaint(error.message)
        }
        rights = Rights(manager)
    }

    private func perform(_ verb: String, _ words: [String]) async throws(Complaint) {
        switch (verb, words.count) {
        case ("list", 0): try list()
        case ("add", 1...): try add(words.joined(separator: " "))
        case ("edit", 2...): try edit(words[0], words.dropFirst().joined(separator: " "))
        case ("export", 1): try export(to: words[0])
        case ("status", 0): status()
        case ("check", 0): try await check()
        case ("trial", 0): try await trial()
        case ("code", 0): try code()
        case ("activate", 1): try await activate(words[0])
        case ("deactivate", 0): try await deactivate()
        case ("devices", 0): try await showDevices { () throws(LicenseDevicesError) in try await manager.devices() }
        case ("release", 1): try await release(words[0])
        default: throw Complaint("Notes does not know that.\n\n" + Self.usage)
        }
    }

    private func list() throws(Complaint) {
        for (index, note) in try file.read().enumerated() { print("\(index + 1)  \(note)") }
    }

    private func add(_ text: String) throws(Complaint) {
        let notes = try file.read()
        if let refusal = rights.refusalToAdd(to: notes.count) { throw Complaint(refusal) }
        try file.write(notes + [Self.line(text)])
        print("\(notes.count + 1)  \(Self.line(text))")
    }

    private func edit(_ number: String, _ text: String) throws(Complaint) {
        var notes = try file.read()
        guard let index = Int(number).map({ $0 - 1 }), notes.indices.contains(index) else {
            throw Complaint("There is no note \(number).")
        }
        if let refusal = rights.refusalToEdit() { throw Complaint(refusal) }
        notes[index] = Self.line(text)
        try file.write(notes)
        print("\(number)  \(notes[index])")
    }

    private func export(to path: String) throws(Complaint) {
        if let refusal = rights.refusalToExport() { throw Complaint(refusal) }
        let notes = try file.read()
        try NotesFile.write(notes, to: URL(filePath: path))
        print("Wrote \(notes.count) \(notes.count == 1 ? "note" : "notes") to \(path).")
    }

    private func status() {
        print(Wording.headline(manager))
        print(Wording.explanation(manager.explanation))
    }

    private func check() async throws(Complaint) {
        try await tell { await manager.checkNow() }
    }

    private func trial() async throws(Complaint) {
        try await tell { () throws(LicenseError) in try await manager.startTrial() }
    }

    private func code() throws(Complaint) {
        guard let code = manager.deviceCode else { throw Complaint("Over Keylight, a device has no code.") }
        print("This device's code is \(code). Support needs it to give you a longer trial.")
    }

    /// Activates a license key, or the link of a letter. The person has chosen the link's key by typing the link.
    private func activate(_ text: String) async throws(Complaint) {
        let link = URL(string: text).flatMap { LicenseLink($0) }
        try await tell { () throws(LicenseError) in
            if let link { try await manager.activate(link, replacing: true) } else { try await manager.activate(text) }
        }
    }

    private func deactivate() async throws(Complaint) {
        try await tell { () throws(LicenseError) in try await manager.deactivate() }
    }

    private func release(_ number: String) async throws(Complaint) {
        let held = try await devices { () throws(LicenseDevicesError) in try await manager.devices() }
        guard let index = Int(number).map({ $0 - 1 }), held.devices.indices.contains(index) else {
            throw Complaint("There is no device \(number); `notes-cli devices` lists them.")
        }
        guard !held.devices[index].isThisOne else {
            throw Complaint("That is this device. Use `notes-cli deactivate`.")
        }
        try await showDevices { () throws(LicenseDevicesError) in try await manager.release(held.devices[index]) }
    }

    private func showDevices(_ list: () async throws(LicenseDevicesError) -> LicenseDevices) async throws(Complaint) {
        print(Wording.devices(try await devices(list)))
    }

    private func devices(
        _ list: () async throws(LicenseDevicesError) -> LicenseDevices
    ) async throws(Complaint) -> LicenseDevices {
        do throws(LicenseDevicesError) {
            return try await list()
        } catch {
            let what = error.code == .unreached ? "That has to wait." : "That was refused."
            throw Complaint(what + "\n" + Wording.explanation(error.explanation))
        }
    }

    /// Performs an action and prints its result.
    private func tell(_ act: () async throws(LicenseError) -> LicenseAnswer) async throws(Complaint) {
        let answer: LicenseAnswer
        do throws(LicenseError) {
            answer = try await act()
        } catch {
            throw Complaint(error.message)
        }
        switch answer {
        case .done: status()
        case .refused(let why): throw Complaint("That was refused.\n" + Wording.explanation(why))
        case .unreached(let why): throw Complaint("That has to wait.\n" + Wording.explanation(why))
        }
    }

    /// Replaces line breaks, because a note is one line.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static let usage = """
        Notes, a line at a time.

          notes-cli list                  show all notes; always possible
          notes-cli add TEXT              add a note
          notes-cli edit NUMBER TEXT      change a note
          notes-cli export FILE           write a copy for another program

          notes-cli status                whether you have a license, and why it works or not
          notes-cli check                 ask the license server now, whatever was asked before
          notes-cli trial                 try everything for two weeks
          notes-cli code                  this device's code, which support needs to extend a trial
          notes-cli activate KEY          use a license key on this device, or the link of a letter
          notes-cli deactivate            release this device, so that another one can use the key
          notes-cli devices               the devices that use the key
          notes-cli release NUMBER        release another device, also a lost one

        Notes and license are kept in ~/.notes; set NOTES_HOME to choose another folder.

        Example: notes-cli add Buy milk && notes-cli list
        """
}
