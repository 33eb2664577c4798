import TenureServerKit

/// An assembled package as somebody brings it: a folder, or a zip of one.
protocol PackageSource: Sendable {
    /// What is in it, in any order; a name may stand in it twice.
    var entries: [SourceEntry] { get }

    /// Whether its assets are on the disk already and take their place by another name: no more room is needed.
    var isInPlace: Bool { get }

    /// Reads a file from its beginning.
    func open(_ entry: SourceEntry) throws(ServerError) -> any PackageReader

    /// Gives a file that was checked already a place in a folder, under its own name, without copying it; false where it
    /// has to be copied and checked.
    func give(_ entry: SourceEntry, to folder: Folder, changedAt seconds: Int64) throws(ServerError) -> Bool
}

extension PackageSource {
    /// False.
    var isInPlace: Bool { false }

    /// False.
    func give(_ entry: SourceEntry, to folder: Folder, changedAt seconds: Int64) throws(ServerError) -> Bool { false }
}

/// Something in a package that somebody brings.
struct SourceEntry: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A file with so many bytes.
        case file(size: Int64)
        /// Something that a package must not hold, in words, such as `is a link`.
        case refused(String)
    }

    /// Its path below the package.
    let path: String
    let kind: Kind
    /// Where the source finds it again.
    var place = 0
}

/// Gives the bytes of a file one after the other.
protocol PackageReader {
    /// The next bytes, at most a megabyte; empty at the end.
    mutating func next() throws(ServerError) -> [UInt8]
}

extension PackageSource {
    /// The bytes of a small file; nil when there is none of that name.
    func bytes(of path: String, limit: Int) throws(ServerError) -> [UInt8]? {
        guard let entry = entries.first(where: { $0.path == path }), case .file(let size) = entry.kind else {
            return nil
        }
        guard size <= limit else {
            throw ServerError(.packageRefused, "\(path) is too large: it may have \(limit >> 20) MiB.")
        }
        var reader = try open(entry)
        var bytes: [UInt8] = []
        while true {
            let more = try reader.next()
            if more.isEmpty { return bytes }
            bytes += more
            guard bytes.count <= limit else {
                throw ServerError(
                    .packageRefused, "\(path) unpacks to more than the \(limit >> 20) MiB that it may have.")
            }
        }
    }
}

extension ServerError.Code {
    /// A package is not what it should be; nothing was changed.
    static let packageRefused = ServerError.Code("package_refused")
}
