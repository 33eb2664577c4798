import Glibc
import TenureCommandLine
import TenureFormats
import TenureMarketplace
import TenureServerKit

/// A package that is assembled in a zip file, with its files at the top level.
struct ZipSource: PackageSource {
    let entries: [SourceEntry]
    private let file: OpenFile
    private let directory: ZipDirectory

    /// Reads the central directory of a zip.
    ///
    /// - Throws: ``ServerError`` if the file can't be read or isn't a zip.
    init(_ path: String) throws(ServerError) {
        let descriptor = CallersFiles.open { unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .files("\(path) can't be opened") }
        guard let file = OpenFile(taking: descriptor) else {
            throw ServerError(.packageRefused, "\(path) is neither a folder nor a zip file.")
        }
        self.file = file
        do throws(FormatError) {
            directory = try Self.directory(of: file)
        } catch {
            throw ServerError(.packageRefused, "\(path): \(error.message). Use an assembled folder or a zip of one.")
        }
        entries = directory.entries.enumerated().compactMap { index, entry in
            Self.kind(of: entry).map { SourceEntry(path: entry.name, kind: $0, offset: index) }
        }
    }

    func open(_ entry: SourceEntry) throws(ServerError) -> any PackageReader {
        let packed = directory.entries[entry.offset]
        let head = file.bytes(
            at: packed.headPlace, count: ZipDirectory.headLength + packed.name.utf8.count)
        guard let packing = packed.packing, let offset = ZipDirectory.dataPlace(of: packed, head: head),
            offset + packed.packedSize <= file.size
        else {
            throw ServerError(
                .packageRefused, "\(entry.path) can't be unpacked because the zip is damaged. Nothing was changed.")
        }
        let bytes = offset..<(offset + packed.packedSize)
        switch packing {
        case .stored: return StoredReader(file: file, packed: packed, rest: bytes)
        case .deflated: return InflatingReader(file: file, packed: packed, rest: bytes)
        }
    }

    private static func directory(of file: OpenFile) throws(FormatError) -> ZipDirectory {
        let length = min(file.size, Int64(ZipDirectory.tailLength))
        let tail = file.bytes(at: file.size - length, count: Int(length))
        let found = try ZipDirectory.location(tail: tail)
        var offset = found.place
        if let wide = found.wide {
            offset = try ZipDirectory.location(wide: file.bytes(at: wide, count: ZipDirectory.wideLength))
        }
        guard let offset else { return try ZipDirectory([], count: 0, ofZipWith: file.size) }
        return try ZipDirectory(
            file.bytes(at: offset.start, count: Int(offset.length)), count: offset.count, ofZipWith: file.size)
    }

    /// Returns the kind of a zip entry; `nil` for the folders of assets, which a zip need not list.
    private static func kind(of entry: ZipDirectory.Entry) -> SourceEntry.Kind? {
        switch entry.kind {
        case .folder: entry.name == "variant" || entry.name == "delta" ? nil : .refused("is a folder")
        case .other: .refused("is a link or not a regular file")
        case .file where entry.packing == nil: .refused("is encrypted, or uses an unsupported compression method")
        case .file: .file(size: entry.size)
        }
    }
}

extension OpenFile {
    /// Reads bytes at an offset; the result is shorter at the end of the file and empty beyond it.
    fileprivate func bytes(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, offset < size else { return [] }
        return read(offset..<min(size, offset + Int64(count)))
    }
}

/// Reads an entry that is stored without compression.
private struct StoredReader: PackageReader {
    let file: OpenFile
    let packed: ZipDirectory.Entry
    var rest: Range<Int64>
    var checksum = Checksum()

    mutating func next() throws(ServerError) -> [UInt8] {
        if rest.isEmpty {
            try checksum.verify(packed)
            return []
        }
        let bytes = file.read(rest.prefix(1 << 20))
        guard !bytes.isEmpty else { throw .files("the zip can't be read") }
        rest = (rest.lowerBound + Int64(bytes.count))..<rest.upperBound
        checksum.take(bytes)
        return bytes
    }
}

/// Reads a compressed entry; fails if it has more bytes than the zip states.
private struct InflatingReader: PackageReader {
    let file: OpenFile
    let packed: ZipDirectory.Entry
    var rest: Range<Int64>
    var checksum = Checksum()
    var unpacked: Int64 = 0
    let inflater = Inflater()

    mutating func next() throws(ServerError) -> [UInt8] {
        while true {
            if inflater.wantsInput, !rest.isEmpty {
                let bytes = file.read(rest.prefix(256 << 10))
                guard !bytes.isEmpty else { throw .files("the zip can't be read") }
                rest = (rest.lowerBound + Int64(bytes.count))..<rest.upperBound
                inflater.feed(bytes)
            }
            guard let bytes = inflater.next(upTo: 1 << 20) else { throw .damaged(packed) }
            unpacked += Int64(bytes.count)
            guard unpacked <= packed.size else { throw .damaged(packed) }
            checksum.take(bytes)
            if !bytes.isEmpty { return bytes }
            if inflater.hasEnded {
                guard unpacked == packed.size else { throw .damaged(packed) }
                try checksum.verify(packed)
                return []
            }
            // The decompressor needs more input, and there is none.
            guard !rest.isEmpty else { throw .damaged(packed) }
        }
    }
}

extension Checksum {
    /// Throws if the checksum differs from the checksum in the zip.
    fileprivate func verify(_ packed: ZipDirectory.Entry) throws(ServerError) {
        guard value == packed.crc32 else { throw .damaged(packed) }
    }
}

extension ServerError {
    fileprivate static func damaged(_ packed: ZipDirectory.Entry) -> ServerError {
        ServerError(.packageRefused, "\(packed.name) is damaged in the zip. Nothing was changed.")
    }
}

extension Range<Int64> {
    fileprivate func prefix(_ count: Int64) -> Range<Int64> {
        lowerBound..<Swift.min(upperBound, lowerBound + count)
    }
}
