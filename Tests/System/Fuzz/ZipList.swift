import TenureFormats
import TenureMarketplace

/// Any end of a zip and any central directory are parsed or rejected. Parsed positions lie within the zip.
@_cdecl("LLVMFuzzerTestOneInput")
public func readZipList(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let found = try? ZipDirectory.place(tail: bytes), let place = found.place {
        precondition(place.length <= ZipDirectory.lengthLimit && place.count <= Int64(ZipDirectory.entryLimit))
    }
    if let place = try? ZipDirectory.place(wide: bytes) { precondition(place.start >= 0) }
    for entries in 0..<4 {
        let list = try? ZipDirectory(bytes, count: Int64(entries), ofZipWith: 1 << 33)
        for entry in list?.entries ?? [] {
            precondition(entry.size >= 0 && (0...(1 << 33)).contains(entry.packedSize) && entry.headPlace < 1 << 33)
            _ = ZipDirectory.dataPlace(of: entry, head: bytes)
        }
    }
    return 0
}
