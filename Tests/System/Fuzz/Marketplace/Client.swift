import Foundation
import TenureCore
import TenureMarketplace

@testable import TenureMarketplaceClient

let accountTokens = FuzzTarget("AccountTokens", longest: 256) { bytes in
    guard let text = text(bytes), let tokens = AccountTokens(text: text) else { return }
    expect(AccountTokens(text: tokens.text) == tokens && !tokens.access.isEmpty, text)
}

let failureLedgers = FuzzTarget("FailureLedger", longest: 256) { bytes in
    guard let text = text(bytes), let ledger = FailureLedger(text: text) else { return }
    expect(FailureLedger(text: ledger.text) == ledger, text)
}

/// A selection offers only what is installed, each app once.
let updateAnswers = FuzzTarget("UpdateAnswer", longest: 512, cost: 20) { bytes in
    guard let answer = try? JSONDecoder().decode(UpdateAnswer.self, from: Data(bytes)),
        let account = AccountID("a"), let item = AppleItemID(number: 1)
    else { return }
    let installed = [item: InstalledVersion(account: account, version: AppleVersionID(number: 2), shortVersion: "1.0")]
    let selection = UpdateSelection(answer, for: account, installed: installed)
    expect(selection.given.count <= 1 && selection.given.allSatisfy { $0.item == item }, "what isn't installed")
    expect(selection.given.count + selection.dropped.count == answer.entries.count, "an entry is missing")
}

/// A watch renews only what is installed, and asks again only for another page.
let licenseNews = FuzzTarget("LicenseNews", longest: 384, cost: 20) { bytes in
    guard let news = try? JSONDecoder().decode(LicenseNews.self, from: Data(bytes)),
        let item = AppleItemID(number: 1)
    else { return }
    for seconds in [Int64.min, 0, .max] {
        var watch = LicenseWatch()
        switch watch.take(news, installed: [item], at: Timestamp(seconds: seconds)) {
        case .renew(let items): expect(items == [item], "what isn't installed is renewed")
        case .askAgain: expect(news.hasMore && watch.cursor == news.cursor, "the same page again")
        case .done: break
        }
        _ = watch.isDue(isStart: false, at: Timestamp(seconds: seconds))
    }
}

/// A token is sent only to the marketplace itself, with TLS.
let requestHeaders = FuzzTarget("RequestHeaders", longest: 192) { bytes in
    guard let url = text(bytes), let account = AccountID("a") else { return }
    let fields = headers.fields(for: url, account: account, bearers: [account: "token"])
    guard !fields.isEmpty else { return }
    guard let parts = URLComponents(string: url) else { return }
    expect(parts.scheme?.lowercased() == "https" && parts.user == nil, url)
    expect(["market.example", "assets.example"].contains(parts.host?.lowercased()), url)
}

private let headers = RequestHeaders(domain: "market.example", configuration: ["https://assets.example/x"])
