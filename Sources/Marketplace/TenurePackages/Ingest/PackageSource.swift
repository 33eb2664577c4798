import TenureServerKit

/// An assembled package to be added: a folder, or a zip of one.
protocol PackageSource: Sendable {
    /// The entries in any order; a path may appear twice.
    var entries: [SourceEntry] { get }

    /// Whether the assets are already on the same disk and can be linked, so that they need no more space.
    var isInPlace: Bool { get }

    /// Opens a file for reading from the beginning.
    func open(_ entry: SourceEntry) throws(ServerError) -> any PackageReader

    /// Links an already checked file into a folder under its own name; returns `false` if it must be copied and checked
    /// instead.
    func give(_ entry: SourceEntry, to folder: Folder, changedAt seconds: Int64) throws(ServerError) -> Bool
}

extension PackageSource {
    /// `false`, because the assets of most sources must be copied.
    var isInPlace: Bool { false }

    /// Returns `false`, because the assets of most sources must be copied.
    func give(_ entry: SourceEntry, to folder: Folder, changedAt seconds: Int64) throws(ServerError) -> Bool { false }
}

/// An entry of a package to be added, as its source lists it.
struct SourceEntry: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A file with its size in bytes.
        case file(size: Int64)
        /// An entry that a package must not contain, with the reason, such as `is a link`.
        case refused(String)
    }

    /// The entry's path below the package's folder.
    let path: String
    let kind: Kind
    /// The entry's index in the source's directory, by which a zip finds it.
    var offset = 0
}

/// Reads the bytes of a file from beginning to end.
protocol PackageReader {
    /// Returns the next bytes, at most a megabyte; empty at the end.
    mutating func next() throws(ServerError) -> [UInt8]
}

extension PackageSource {
    /// Reads a small file; `nil` if it doesn't exist.
    func bytes(of path: String, limit: Int) throws(ServerError) -> [UInt8]? {
        guard let entry = entries.first(where: { $0.path == path }), case .file(let size) = entry.kind else {
            return nil
        }
        guard size <= limit else {
            throw ServerError(.packageRefused, "\(path) is too large. The limit is \(limit >> 20) MiB.")
        }
        var reader = try open(entry)
        var bytes: [UInt8] = []
        while true {
            let more = try reader.next()
            if more.isEmpty { return bytes }
            bytes += more
            guard bytes.count <= limit else {
                throw ServerError(
                    .packageRefused, "\(path) unpacks to more than the limit of \(limit >> 20) MiB.")
            }
        }
    }
}

extension ServerError.Code {
    /// The package is invalid; nothing was changed.
    static let packageRefused = ServerError.Code("package_refused")
}
