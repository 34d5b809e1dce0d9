/// What a server can be called, and which pages can be let in, as an operator gives it.

import Dialects
import Testing

@Suite struct WebSettingsTests {
  @Test(arguments: [
    ("chat.example.org", true), ("Chat.Example.Org", true), ("box", true), ("a_b-c.7", true),
    ("xn--bcher-kva.example", true), ("b\u{FC}cher.example", false), ("", false), (".", false),
    ("a..b", false), (".a", false), ("a.", false), ("a:80", false), ("a b", false), ("a/b", false),
    ("https://a", false), ("[::1]", false), ("*", false), ("*.example.org", false),
  ])
  func aNameIsLettersDigitsAndPoints(name: String, isOne: Bool) {
    #expect(WebSettings.isName(name) == isOne)
  }

  @Test(arguments: [
    ("https://example.org", true), ("http://localhost:8080", true), ("http://127.0.0.1:81", true),
    ("http://[::1]:8080", true), ("http://[::1]", true), ("https://example.org:80", true),
    ("http://example.org:443", true), ("https://example.org:65535", true),
    ("https://example.org:443", false), ("http://example.org:80", false),
    ("https://example.org:0", false), ("https://example.org:65536", false),
    ("https://example.org:080", false), ("https://example.org:+81", false),
    ("https://example.org:", false), ("https://example.org:a", false),
    ("https://example.org/", false), ("https://example.org/a", false),
    ("https://example.org?a", false), ("https://u@example.org", false),
    ("https://Example.org", false), ("HTTPS://example.org", false), ("https://", false),
    ("https://:81", false), ("https://b\u{FC}cher.example", false),
    ("https://*.example.org", false),
    ("https://[::1", false), ("https://[1::2::3]", false), ("https://[::1]a", false),
    ("ws://example.org", false), ("example.org", false), ("null", false), ("*", false), ("", false),
  ])
  func anOriginIsWhatBrowsersSend(origin: String, isOne: Bool) {
    #expect(WebSettings.isOrigin(origin) == isOne)
  }
}
