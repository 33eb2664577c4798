import Glibc
import TenureFormats
import TenureMarketplace

@testable import TenurePackages

/// A zip is refused, or each of its files is unpacked to its stated size or refused.
let zipFiles = FuzzTarget("ZipFile", longest: 1024, cost: 20) { bytes in
    guard let file else { fail("there is no file in memory") }
    guard ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else { fail("no file") }
    guard let zip = try? ZipSource("/proc/self/fd/\(file)") else { return }
    for entry in zip.entries.prefix(8) {
        guard case .file(let size) = entry.kind, var reader = try? zip.open(entry) else { continue }
        var unpacked: Int64 = 0
        while let bytes = try? reader.next() {
            unpacked += Int64(bytes.count)
            expect(unpacked <= size, "more was unpacked than the zip says")
            guard bytes.isEmpty else { continue }
            expect(unpacked == size, "less was unpacked than the zip says")
            break
        }
    }
}

private let file: CInt? = {
    var path = Array("/dev/shm/tenure-fuzz-XXXXXX".utf8CString)
    let made = mkstemp(&path)
    guard made >= 0 else { return nil }
    unlink(path)
    return made
}()

/// Compressed bytes in pieces are unpacked to the same result as at once.
let inflaters = FuzzTarget("Inflater", longest: 192, cost: 20) { bytes in
    expect(unpack(bytes, piece: 1) == unpack(bytes, piece: .max), "pieces are unpacked differently")
}

private func unpack(_ bytes: [UInt8], piece: Int) -> [UInt8]? {
    let inflater = Inflater()
    var (result, rest) = ([UInt8](), bytes[...])
    while result.count < 1 << 16 {
        if inflater.wantsInput, !rest.isEmpty {
            inflater.feed(Array(rest.prefix(piece)))
            rest = rest.dropFirst(min(piece, rest.count))
        }
        guard let next = inflater.next(upTo: 1 << 12) else { return nil }
        result += next
        if inflater.hasEnded || (next.isEmpty && rest.isEmpty) { return inflater.hasEnded ? result : [] }
    }
    return []
}

/// A response of App Store Connect is read without trusting it: a key blob has an allowed length.
let appStoreAnswers = FuzzTarget("AppStoreAnswer", longest: 384) { bytes in
    if let field = text(bytes) { _ = AppStoreConnect.remaining(field) }
    guard let object = try? FlatObject(scanning: bytes),
        let resource = AppStoreConnect.Resource(object, remaining: nil)
    else { return }
    expect(resource.id == resource.id.lowercased(), resource.id)
    if let blob = resource.keyBlob { expect((1...KeyBlobs.blobLimit).contains(blob.count), "a blob of another length") }
}
