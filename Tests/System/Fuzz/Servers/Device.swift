import TenureCore
import TenureCrypto
import TenureFormats

@testable import TenureDevice

/// Any file can be checked, as the kind that it seems to be and as any other; each finding names a rule.
let lintedFiles = FuzzTarget("LintedFile", longest: 768, cost: 20) { bytes in
    let kinds = [LintKind(of: bytes, named: "a.json")].compactMap(\.self) + LintKind.allCases
    for kind in kinds {
        var places = JSONPlaces(in: bytes)
        for finding in LintedFile.findings(in: bytes, as: kind, at: 1_800_000_000) {
            expect(!finding.rule.id.isEmpty, "a finding without a rule")
            _ = places.next(finding.pointer)
        }
    }
    _ = LintedFile.brokenJSON(in: bytes)
}

/// A marketplace's page of any text is read as lines and a form, and the filled form is sent percent-encoded.
let pageForms = FuzzTarget("PageForm", longest: 256, cost: 10) { bytes in
    guard let html = text(bytes.first.map { $0 & 0x20 == 0 } == true ? marked(bytes) : bytes) else { return }
    for line in PageText.lines(of: html) { expect(!line.text.isEmpty, html) }
    guard let form = PageForm(html) else { return }
    expect(!form.url(on: "https://market.example/a/b?c").isEmpty, html)
    let filled = PercentEncoding.form(form.filled { $0.value })
    expect(filled.utf8.allSatisfy { (0x21...0x7E).contains($0) }, filled)
    for field in form.fields {
        expect(PercentEncoding.decode(PercentEncoding.encode(field.value)).utf8.elementsEqual(field.value.utf8), html)
    }
}

let servedConfigurations = FuzzTarget("ServedConfiguration", longest: 768) { bytes in
    guard let configuration = try? ServedConfiguration(json: bytes) else { return }
    expect(configuration.urls.count >= 6, "a place is missing")
    for url in configuration.urls { _ = ServerAddress(url)?.reachable(url) }
}

/// A device's file is written back as a file that reads the same.
let deviceFiles = FuzzTarget("DeviceFile", longest: 1024, cost: 20) { bytes in
    guard let device = try? Device(json: bytes, file: "device.json") else { return }
    let written = device.json()
    guard let again = try? Device(json: written, file: "device.json") else { fail("what was written does not read") }
    expect(again.json() == written, "a device reads differently the second time")
}
