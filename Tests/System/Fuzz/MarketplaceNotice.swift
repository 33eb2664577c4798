import TenureCore
import TenureFormats
import TenureMarketplace

/// Random notifications are parsed or rejected, and parsing one again returns the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func readNotice(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let notice = try? MarketplaceNotice(parsing: bytes) else { return 0 }
    precondition((try? MarketplaceNotice(parsing: bytes)) == notice)
    precondition(!notice.id.isEmpty && notice.id.utf8.count <= count)
    return 0
}
