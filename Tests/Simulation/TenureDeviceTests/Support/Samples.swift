import TenureCore
import TenureCrypto
import TenureMarketplace

@testable import TenureDevice

let game = AppleItemID(number: 6_483_539_426)!
let chess = AppleItemID(number: 6_483_539_427)!
let morning = Timestamp(seconds: 1_800_000_000)

func wanted(_ item: AppleItemID) -> WantedApp {
    WantedApp(item: item, version: AppleVersionID(number: 863_214_182)!, asset: AssetID("variant-1")!)
}

/// A license for tests that don't read its document.
func license(id: UInt64 = 7, issued: Timestamp = morning, days: Int? = 30) -> HeldLicense {
    let duration = days.map { UInt64($0) * 86_400 } ?? 0
    return HeldLicense(
        .init(licenseID: id, issuedTime: UInt64(issued.seconds), duration: duration, appKeys: []), from: [])
}

func installed(_ item: AppleItemID = game, license: HeldLicense?, account: String? = nil) -> InstalledApp {
    let app = wanted(item)
    return InstalledApp(
        item: item, version: app.version, asset: app.asset, bundleID: "com.example.game",
        account: account.flatMap { AccountID($0) }, license: license, resolutionURL: nil)
}

func newDevice() -> Device {
    Device(model: "iPhone16,1", systemVersion: "18.2", server: ServerAddress("http://127.0.0.1:1")!)
}
