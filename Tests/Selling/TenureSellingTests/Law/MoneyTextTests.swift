import TenureSelling
import Testing

/// Tests how amounts are formatted for people.
@Suite struct MoneyTextTests {
    @Test(
        arguments: [
            (4_900, "eur", "49.00 EUR"), (5, "usd", "0.05 USD"), (0, "gbp", "0.00 GBP"), (4_900, "jpy", "4900 JPY"),
            (0, "krw", "0 KRW"), (120_000, "vnd", "120000 VND"), (990, "clp", "990 CLP"), (1_500, "kwd", "1.500 KWD"),
            (7, "tnd", "0.007 TND"), (500, "isk", "5.00 ISK"), (Int64.max, "eur", "92233720368547758.07 EUR"),
        ] as [(Int64, String, String)])
    func `an amount in minor units is shown in the currency's major units`(
        amount: Int64, currency: String, text: String
    ) {
        #expect(Money(amount, currency).text == text)
    }
}
