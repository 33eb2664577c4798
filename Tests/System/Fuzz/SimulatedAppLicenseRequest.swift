import TenureFormats
import TenureMarketplace

/// Any bytes are parsed or rejected, and a parsed request parses again from its own text.
@_cdecl("LLVMFuzzerTestOneInput")
public func readSimulatedAppLicenseRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let request = try? SimulatedAppLicenseRequest(json: bytes) else { return 0 }
    precondition(
        (try? SimulatedAppLicenseRequest(json: request.json())) == request,
        "a request reads differently the second time")
    return 0
}
