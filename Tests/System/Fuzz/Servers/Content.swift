@testable import TenureContentServer

/// Stored settings of other license servers are written back as the same settings.
let targetSettings = FuzzTarget("TargetSettings", longest: 256) { bytes in
    if let kollus = KollusSettings(json: bytes) { expect(KollusSettings(json: kollus.json) == kollus, "Kollus") }
    if let dove = DoveRunnerSettings(json: bytes) {
        expect(DoveRunnerSettings(json: dove.json) == dove, "DoveRunner")
        _ = dove.site
    }
    if let axinom = AxinomSettings(json: bytes) {
        expect(AxinomSettings(json: axinom.json) == axinom, "Axinom")
        _ = axinom.key
    }
}
