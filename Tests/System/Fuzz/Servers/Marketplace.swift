import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureServerKit

@testable import TenureMarketplaceServer

/// A token of a sign-in is read in one spelling only, and proves nothing that the server didn't make.
let signInTexts = FuzzTarget("SignInText", longest: 128) { bytes in
    guard let text = text(bytes), let token = SignInText(text) else { return }
    expect(token.text == text && token.fits(token.digest) && !token.fits(.sha256(of: "another")), text)
    expect(!token.provesNumber(under: [UInt8](repeating: 1, count: 32)), "a token proves a number")
}

/// An authorization request redirects only to an address that the marketplace has registered.
let authorizationRequests = FuzzTarget("AuthorizationRequest", longest: 384, cost: 2) { bytes in
    guard let query = text(bytes), let items = QueryItems(query) else { return }
    let reading = AuthorizationRequest.read({ items[$0] }, at: marketplace)
    switch reading {
    case .request(let request):
        expect(known(request.redirect) && (request.state ?? "").utf8.count <= AuthorizationRequest.longestState, query)
        let link = request.redirect.with([("code", "x"), ("state", request.state)])
        expect(link.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !link.contains("#"), link)
    case .wrong(let redirect, _, _): expect(known(redirect), query)
    case .stranger: break
    }
}

private let marketplace: Marketplace = {
    var marketplace = Marketplace(name: "Mart", domain: "mart.example", access: .token, apps: [:])
    marketplace.redirectURIs = ["com.example.mart:/signed-in", "https://mart.example/done?a=b"]
    return marketplace
}()

private func known(_ redirect: Redirect) -> Bool {
    redirect.text == RedirectURI.system || marketplace.redirectURIs.contains(redirect.text)
}

/// Any text that an operator enters as an address is refused, or has the host that a strict reader finds in it.
let webAddresses = FuzzTarget("WebAddress", longest: 192) { bytes in
    guard let text = text(bytes) else { return }
    if WebAddress.fault(of: text) == nil {
        guard let url = WebURL(text) else { fail(text) }
        expect(url.scheme == "https" && url.host == WebAddress.host(of: text) && !url.hasUser && !url.hasFragment, text)
    }
    if WebAddress.signInFault(of: text) == nil {
        guard let url = WebURL(text) else { fail(text) }
        expect(url.scheme == "https" || url.isThisMachine, text)
        expect(!url.hasUser && !url.hasFragment, text)
    }
    if CatalogHost.fault(of: text) == nil { expect(WebURL("https://\(text)/")?.host == text, text) }
    if WebAddress.isPath(text) { expect(WebURL("https://a.example\(text)")?.rest == text[...], text) }
    if RedirectURI.fault(of: text) == nil { expect(!text.lowercased().hasPrefix("javascript:"), text) }
    if EmailAddress.isOne(text) { expect(!text.contains(" ") && text.utf8.count { $0 == 0x40 } == 1, text) }
}

/// A random signature is not accepted, and stored secrets are read back unchanged.
let notificationSignatures = FuzzTarget("NotificationSignature", longest: 192) { bytes in
    var secrets = NotificationSecrets()
    secrets.texts = ["secret"]
    expect(!secrets.verify(bytes, signature: text(bytes)), "a notification that nobody signed")
    guard let stored = NotificationSecrets(json: bytes) else { return }
    expect(NotificationSecrets(json: stored.json) == stored, "secrets read differently the second time")
}
