import FoundationEssentials
import Glibc
import TenureCommandLine
import TenureCore
import TenureFiles
import TenureFormats

/// The user's contexts, which are named sets of options, in `$XDG_CONFIG_HOME/tenure/config.json`.
///
/// Only the user may write the file, because a context determines which store a command acts on.
struct ContextFile {
    /// The options of each context, by the context's name. Option names have no dashes at the beginning.
    private(set) var contexts: [String: [String: String]] = [:]
    /// The name of the context that commands use unless another one is named.
    private(set) var current: String?

    /// The options that a context may contain, by their names without dashes.
    static let options = ["data", "store", "store-file", "master-key-file", "clock", "tenant", "product", "base-url"]
    /// The largest accepted file, in bytes.
    private static let longest = 1 << 20

    /// Returns the file's path; `nil` if neither `XDG_CONFIG_HOME` nor `HOME` is an absolute path.
    static func path(in environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/tenure/config.json" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.config/tenure/config.json" : nil }
    }

    /// Whether the file's path is derived from `HOME`, and the nearest folder that can be examined belongs to another
    /// user.
    static func isForeignDefault(_ path: String, in environment: [String: String]) -> Bool {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return false }
        var folder = path
        // A folder inside another user's private folder can't be examined, so this checks the nearest folder that can
        // be.
        while folder.count > 1 {
            folder = Self.folder(of: folder)
            var facts = stat()
            if stat(folder, &facts) == 0 { return facts.st_uid != geteuid() }
        }
        return false
    }

    /// The folder of an absolute path, without a slash at its end except for `/`.
    private static func folder(of path: String) -> String {
        let folder = path.cut(atLastByte: "/")?.before ?? ""
        return folder.isEmpty ? "/" : String(folder)
    }

    init() {}

    /// Reads a file; a missing file has no contexts.
    ///
    /// Throws ``UsageError`` if the file can't be read, belongs to another user, can be changed by other users, or is
    /// malformed.
    init(at path: String) throws(UsageError) {
        let file: FileDescriptor
        do throws(Errno) {
            file = try FileDescriptor(opening: path, O_RDONLY)
        } catch {
            if error.rawValue == ENOENT || error.rawValue == ENOTDIR { return }
            throw UsageError("\(path.printable) cannot be read: \(error)")
        }
        guard let facts = try? file.status(), facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.longest
        else { throw UsageError("\(path.printable) is not a valid context file; remove it and add the contexts again") }
        guard facts.st_uid == geteuid() else {
            // The file decides which store a command acts on, and `sudo` may have preserved another user's `HOME`.
            throw UsageError(
                "\(path.printable) belongs to user \(facts.st_uid), but this command runs as user \(geteuid()); with sudo add -H, "
                    + "otherwise set XDG_CONFIG_HOME to another folder")
        }
        guard facts.st_mode & 0o022 == 0 else {
            throw UsageError("\(path.printable) can be changed by other users; run chmod 600 on it")
        }
        guard let bytes = try? file.read(upTo: Self.longest), let value = try? JSONValue(parsing: bytes),
            case .object(let root) = value,
            case .object(let named)? = root["contexts"]
        else { throw UsageError("\(path.printable) is not a valid context file; remove it and add the contexts again") }
        for (name, value) in named {
            guard case .object(let options) = value else { continue }
            contexts[name] = options.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        }
        if case .string(let name)? = root["current"] { current = name }
    }

    /// Returns the options of a named context, or of the current one; empty if neither exists.
    ///
    /// Throws ``UsageError`` if the named context doesn't exist.
    func options(of name: String?) throws(UsageError) -> [String: String] {
        guard let name = name ?? current else { return [:] }
        guard let found = contexts[name] else { throw Self.unknown(name, among: contexts.keys.sorted()) }
        return found
    }

    /// Returns a context's options for display, with the password in the store's URL masked.
    func shownOptions(of name: String) -> [String: String] {
        var options = contexts[name] ?? [:]
        options["store"] = options["store"].map(StoreURL.withoutPassword)
        return options
    }

    /// Adds a context, replacing one with the same name.
    mutating func add(_ options: [String: String], as name: String) { contexts[name] = options }

    /// Makes a context the current one. Throws ``UsageError`` if the context doesn't exist.
    mutating func use(_ name: String) throws(UsageError) {
        _ = try options(of: name)
        current = name
    }

    /// Removes a context. If the removed context was current, no context is current afterwards.
    ///
    /// Throws ``UsageError`` if the context doesn't exist.
    mutating func remove(_ name: String) throws(UsageError) {
        _ = try options(of: name)
        contexts[name] = nil
        if current == name { current = nil }
    }

    /// Writes the file atomically; throws ``CommandError`` if that fails.
    func write(to path: String) throws(CommandError) {
        let bytes = JSONWriter.object { root in
            root.member("current", current)
            root.object("contexts") { list in
                for (name, options) in contexts.sorted(by: { $0.key < $1.key }) {
                    list.object(name) { member in
                        for (option, value) in options.sorted(by: { $0.key < $1.key }) { member.member(option, value) }
                    }
                }
            }
        }
        do {
            try FileManager.default.createDirectory(
                atPath: Self.folder(of: path), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError("The folder of \(path) cannot be created. Create it yourself.")
        }
        let name = path.cut(atLastByte: "/").map { String($0.after) } ?? path
        let temporary = "\(name).\(getpid())"
        do throws(FileReplacement.Failure) {
            try FileReplacement.replace(name, in: Self.folder(of: path), by: bytes, temporary: temporary)
        } catch {
            switch error {
            case .notCreated(let cause):
                throw CommandError("\(Self.folder(of: path))/\(temporary) cannot be created: \(cause)")
            case .notWritten(let cause): throw CommandError("\(path) cannot be written: \(cause)")
            // The file has its new bytes, but a crash may restore the old ones.
            case .notDurable: return
            }
        }
    }

    private static func unknown(_ name: String, among names: [String]) -> UsageError {
        let hint = names.closest(to: name).map { "; did you mean \($0)?" } ?? ""
        return UsageError(
            "there is no context \(name.printable)\(hint.isEmpty ? ";" : hint) `tenure context list` lists them")
    }
}
