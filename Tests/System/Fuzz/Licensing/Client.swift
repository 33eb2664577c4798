import Foundation
import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureVault

@testable import TenureClient

private let product: ProductRef? = TenantID("a").flatMap { tenant in
    ProductID("b").map { ProductRef(tenant: tenant, product: $0) }
}

/// A typed key keeps its digest whatever its case and spaces, and its mask never shows more than its last four bytes.
let licenseKeys = FuzzTarget("LicenseKey", longest: 96) { bytes in
    guard let typed = text(bytes), let key = LicenseKeyText(typed) else { return }
    expect(LicenseKeyText(key.text)?.bytes == key.bytes, "a key reads differently the second time")
    expect(LicenseKeyText(" " + typed.utf8.lowercasedASCII + "\n")?.bytes == key.bytes, "its case matters")
    for reading in [key.asPasted, key.withoutLookAlikes, key.asMinted()] {
        expect(reading != key, "a reading that changes nothing")
    }
    if key.looksMinted, let reading = key.withoutLookAlikes {
        expect(reading.bytes.count == key.bytes.count, "another length")
    }
    let prefix = LicenseKeyPrefix(String(typed.prefix(4)))
    for mask in [key.masked(showing: nil), key.masked(showing: prefix)] {
        expect(mask.contains("****"), "a mask that hides nothing")
        let shown = mask.utf8.count { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "-") }
        expect(shown <= 4 + (prefix?.text.utf8.count ?? 0), "a mask that shows too much: \(mask)")
    }
}

extension String.UTF8View {
    fileprivate var lowercasedASCII: String {
        String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

/// A record on the device is rejected, or read and written back as the same record.
let clientRecords = FuzzTarget("ClientRecord", longest: 1024, cost: 10) { bytes in
    guard let record = try? ClientRecord(bytes) else { return }
    guard let written = try? record.bytes(), let again = try? ClientRecord(written) else {
        fail("a record that was read cannot be written")
    }
    expect(again == record, "a record reads differently the second time")
}

/// A damaged file never opens, and a sealed one opens only unchanged.
let sealedRecords = FuzzTarget("SealedRecord", longest: 192, cost: 4) { bytes in
    guard let product else { fail("there is no product") }
    let seal = RecordSeal(device: [UInt8](repeating: 1, count: 32), product: product)
    expect((try? seal.open(bytes)) == nil, "what nobody sealed opened")
    guard let sealed = kept, let place = bytes.first, let change = bytes.last, change != 0 else { return }
    var changed = sealed
    changed[Int(place) % sealed.count] ^= change
    expect((try? seal.open(changed)) == nil, "a changed file opened")
    expect((try? seal.open(Array(sealed.prefix(Int(place) % sealed.count)))) == nil, "a part of a file opened")
}

private let kept: [UInt8]? = product.flatMap { product in
    try? RecordSeal(device: [UInt8](repeating: 1, count: 32), product: product).seal(Array("record".utf8))
}

/// A link has exactly one key; a browser doesn't send it to a server.
let licenseLinks = FuzzTarget("LicenseLink", longest: 192, cost: 10) { bytes in
    guard let text = text(bytes), let url = URL(string: text), let link = LicenseLink(url) else { return }
    let scheme = url.scheme?.lowercased()
    expect(LicenseKeyText(link.key) != nil && scheme != "http", text)
    expect(scheme != "https" || url.fragment != nil && url.path.hasSuffix("/activate"), text)
}

/// An address of a server is encrypted unless it is this machine, and paths are added to it.
let serverAddresses = FuzzTarget("ServerAddress", longest: 192) { bytes in
    guard let text = text(bytes), let address = ServerAddressBase(text) else { return }
    guard let read = WebURL(address.url("/v1")) else { fail(text) }
    expect(read.scheme == "https" || read.isThisMachine, text)
    expect(address.isThisMachine == read.isThisMachine && read.rest.hasSuffix("/v1") && !read.hasUser, text)
}

/// Random bytes as stored keys never replace a pinned key, and a client that trusts only pinned keys adopts none of
/// them.
let storedKeys = FuzzTarget("StoredKeys", longest: 512) { bytes in
    guard let product, let pinned = try? Ed25519.PublicKey(bytes: [UInt8](repeating: 2, count: 32)) else { return }
    let keys = VouchedKeys(product: product, pinned: ["k1": pinned], trust: .served)
    keys.restore(bytes)
    expect(keys.trusted["k1"] == pinned, "a pinned key was replaced")
    let again = VouchedKeys(product: product, pinned: ["k1": pinned], trust: .served)
    again.restore(keys.encoded())
    expect(again.all == keys.all, "other keys are trusted the second time")
    let strict = VouchedKeys(product: product, pinned: ["k1": pinned], trust: .pinned)
    strict.restore(bytes)
    expect(strict.all == ["k1": pinned], "a key is trusted that nobody vouched for")
    let memory = KeylightMemory(json: bytes)
    expect(KeylightMemory(json: memory.json()) == memory, "a memory reads differently the second time")
}

let builtInKeys = FuzzTarget("BuiltInKey", longest: 96) { bytes in
    guard let text = text(bytes) else { return }
    if let keys = try? BuiltInKeys.read(["k1": text], trust: .pinned) { expect(keys["k1"]?.bytes.count == 32, text) }
}

let deviceIdentifiers = FuzzTarget("DeviceIdentifier", longest: 300) { bytes in
    guard let text = text(bytes), let product, let device = try? ThisDevice(explicit: text) else { return }
    guard let padded = try? ThisDevice(explicit: "\t" + text + " \n") else { fail(text) }
    expect(padded.id(for: product) == device.id(for: product) && padded.binding == device.binding, text)
    expect(MachineHash(device.id(for: product).text) != nil, text)
}
